import type { MetaFunction } from 'react-router';
import { SectionList } from '#web/articles/section-list.tsx';
import { listGuidelineSections } from '#web/content/guidelines.ts';
import { links } from '#web/lib/links.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { HeroBanner } from '#web/ui/hero-banner.tsx';
import { TextLink } from '#web/ui/text-link.tsx';

export const meta: MetaFunction = ({ matches }) =>
  createPageMeta(getSiteData(matches), {
    title: 'Community Guidelines',
    description: 'Who may trade here, how we treat one another, and what may not be listed.',
    path: links.guidelines,
  });

export default function Guidelines() {
  const campus = useCampus();
  return (
    <>
      <HeroBanner
        title="Community Guidelines"
        subtitle="Short rules for a place that everyone likes to come back to."
      />
      <PageBody width="reading">
        <SectionList sections={listGuidelineSections(campus)} />
        <p className="mt-11 rounded-lg bg-lawn-soft px-5 py-4">
          Seen something that breaks these rules? <TextLink to={links.safety}>Report a concern</TextLink>
        </p>
      </PageBody>
    </>
  );
}
