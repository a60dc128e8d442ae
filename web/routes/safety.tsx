import { BadgeCheck, Flag, MapPin, MessageCircle, ScanSearch, UsersRound } from 'lucide-react';
import type { MetaFunction } from 'react-router';
import { IconCard } from '#web/articles/icon-card.tsx';
import {
  emergencyNote,
  listSafetyTips,
  type SafetyTipName,
  safetyIntroduction,
} from '#web/content/safety.ts';
import { links } from '#web/lib/links.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { Card } from '#web/ui/card.tsx';
import { HeroBanner } from '#web/ui/hero-banner.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { SectionHeading } from '#web/ui/section-heading.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

// The server renders this form into the page; its script loads after those that every page needs.
const ReportForm = lazyComponent(async () => (await import('#web/forms/report-form.tsx')).ReportForm, {
  placeholder: () => <Skeleton className="h-108" />,
});

const safetyTipIcons: Record<SafetyTipName, typeof MapPin> = {
  place: MapPin,
  friend: UsersRound,
  seller: BadgeCheck,
  inspect: ScanSearch,
  messages: MessageCircle,
  report: Flag,
};

export const meta: MetaFunction = ({ matches }) =>
  createPageMeta(getSiteData(matches), {
    title: 'Safety Tips',
    description: 'Six habits for trading on campus without worry, and a form to report a concern.',
    path: links.safety,
  });

export default function Safety() {
  const tips = listSafetyTips(useCampus());
  return (
    <>
      <HeroBanner title="Safety Tips" subtitle={safetyIntroduction} />
      <PageBody className="space-y-12 md:space-y-16">
        <section aria-labelledby="tips">
          <SectionHeading id="tips">Six good habits</SectionHeading>
          <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-3 lg:gap-5">
            {tips.map(({ name, title, text }) => {
              const Icon = safetyTipIcons[name];
              return (
                <li key={name}>
                  <IconCard icon={<Icon />} title={title} text={text} />
                </li>
              );
            })}
          </ul>
        </section>
        <section aria-labelledby="report" className="grid gap-6 lg:grid-cols-[1fr_1.4fr] lg:gap-12">
          <div>
            <SectionHeading id="report">Report a Concern</SectionHeading>
            <p className="max-w-prose text-ink-muted">
              Something felt wrong, even if nothing happened? Tell us. We look at every report, and nobody you
              report learns who wrote it.
            </p>
            <p className="mt-4 max-w-prose rounded-md bg-gold-soft px-4 py-3 text-gold-text text-sm">
              {emergencyNote}
            </p>
          </div>
          <Card padded>
            <ReportForm />
          </Card>
        </section>
      </PageBody>
    </>
  );
}
