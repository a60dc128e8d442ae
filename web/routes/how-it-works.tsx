import type { MetaFunction } from 'react-router';
import { IconCard } from '#web/articles/icon-card.tsx';
import { listHowItWorksSteps } from '#web/content/how-it-works.ts';
import { links } from '#web/lib/links.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { HeroBanner } from '#web/ui/hero-banner.tsx';
import { SectionHeading } from '#web/ui/section-heading.tsx';
import { StandaloneLink } from '#web/ui/text-link.tsx';

export const meta: MetaFunction = ({ matches }) =>
  createPageMeta(getSiteData(matches), {
    title: 'How It Works',
    description:
      'Three steps: verify your university email, list or find something, meet on campus and trade.',
    path: links.howItWorks,
  });

export default function HowItWorks() {
  const campus = useCampus();
  return (
    <>
      <HeroBanner title="How It Works" subtitle="From a full closet to a finished trade in three steps." />
      <PageBody>
        <SectionHeading>Three steps</SectionHeading>
        <ol className="grid gap-4 lg:grid-cols-3 lg:gap-5">
          {listHowItWorksSteps(campus).map(({ title, text, links }, index) => (
            <li key={title}>
              <IconCard icon={index + 1} title={title} text={text}>
                <ul className="mt-3 flex flex-wrap gap-x-6">
                  {links.map(({ to, label }) => (
                    <li key={to}>
                      <StandaloneLink to={to}>{label}</StandaloneLink>
                    </li>
                  ))}
                </ul>
              </IconCard>
            </li>
          ))}
        </ol>
      </PageBody>
    </>
  );
}
