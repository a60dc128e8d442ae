import { Clock, MapPin } from 'lucide-react';
import { useState } from 'react';
import type { MetaFunction } from 'react-router';
import type { JobOpeningTitle } from '#contract/form-choices.ts';
import { listJobOpenings } from '#web/content/careers.ts';
import { links } from '#web/lib/links.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { HeroBanner } from '#web/ui/hero-banner.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { SectionHeading } from '#web/ui/section-heading.tsx';

const JobApplicationDialog = lazyDialog(
  async () => (await import('#web/forms/application-dialog.tsx')).JobApplicationDialog,
);

export const meta: MetaFunction = ({ matches }) => {
  const site = getSiteData(matches);
  return createPageMeta(site, {
    title: 'Careers',
    description: `Two part-time openings for students who want to make ${site.campus.siteName} better.`,
    path: links.careers,
  });
};

export default function Careers() {
  const campus = useCampus();
  const [opening, setOpening] = useState<JobOpeningTitle>();
  return (
    <>
      <HeroBanner title="Careers" subtitle="Work on something your friends use every week." />
      <PageBody>
        <SectionHeading>Open positions</SectionHeading>
        <ul className="grid gap-4 lg:grid-cols-2 lg:gap-5">
          {listJobOpenings(campus).map(({ title, hours, place, text, points }) => (
            <li key={title}>
              <Card padded className="flex h-full flex-col">
                <h3 className="font-extrabold text-xl">{title}</h3>
                <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-ink-muted text-sm">
                  <li className="flex items-center gap-1.5">
                    <Clock aria-hidden="true" className="size-4" />
                    {hours}
                  </li>
                  <li className="flex items-center gap-1.5">
                    <MapPin aria-hidden="true" className="size-4" />
                    {place}
                  </li>
                </ul>
                <p className="mt-4">{text}</p>
                <ul className="mt-3 mb-6 list-disc space-y-1 pl-5 text-ink-muted marker:text-gold">
                  {points.map((point) => (
                    <li key={point}>{point}</li>
                  ))}
                </ul>
                <Button
                  className="mt-auto sm:self-start"
                  aria-label={`Apply Now: ${title}`}
                  onClick={() => setOpening(title)}
                >
                  Apply Now
                </Button>
              </Card>
            </li>
          ))}
        </ul>
      </PageBody>
      {opening && (
        <JobApplicationDialog campus={campus} opening={opening} onClose={() => setOpening(undefined)} />
      )}
    </>
  );
}
