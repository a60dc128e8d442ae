import { Mail } from 'lucide-react';
import type { MetaFunction } from 'react-router';
import { links } from '#web/lib/links.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { Card } from '#web/ui/card.tsx';
import { HeroBanner } from '#web/ui/hero-banner.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { StandaloneLink } from '#web/ui/text-link.tsx';

// The server renders this form into the page; its script loads after those that every page needs.
const ContactForm = lazyComponent(async () => (await import('#web/forms/contact-form.tsx')).ContactForm, {
  placeholder: () => <Skeleton className="h-136" />,
});

export const meta: MetaFunction = ({ matches }) =>
  createPageMeta(getSiteData(matches), {
    title: 'Contact',
    description: 'Report a bug, raise a safety concern, ask for a feature, or just say hello.',
    path: links.contact,
  });

export default function Contact() {
  const campus = useCampus();
  return (
    <>
      <HeroBanner title="Contact" subtitle="A bug, a worry, an idea: we read everything." />
      <PageBody className="grid gap-8 lg:grid-cols-[1.6fr_1fr] lg:gap-12">
        <Card padded>
          <ContactForm campus={campus} />
        </Card>
        <div>
          <h2 className="font-extrabold text-xl">Prefer email?</h2>
          <p className="mt-2 text-ink-muted">It reaches the same people.</p>
          <a
            href={links.mail(campus.supportEmail)}
            className="mt-1 inline-flex min-h-11 max-w-full items-center gap-2 break-all font-semibold text-brand-text underline decoration-2 decoration-gold underline-offset-4"
          >
            <Mail aria-hidden="true" className="size-5 shrink-0" />
            {campus.supportEmail}
          </a>
          <h2 className="mt-8 font-extrabold text-xl">Something wrong with a listing?</h2>
          <p className="mt-2 text-ink-muted">
            Report Listing on the listing itself is the quickest way; it tells us which one you mean.
          </p>
          <StandaloneLink to={links.safety}>Safety tips</StandaloneLink>
        </div>
      </PageBody>
    </>
  );
}
