import type { MetaFunction } from 'react-router';
import { SectionList } from '#web/articles/section-list.tsx';
import { legalTextsLastUpdated, listTermsSections } from '#web/content/terms.ts';
import { links } from '#web/lib/links.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

export const meta: MetaFunction = ({ matches }) => {
  const site = getSiteData(matches);
  return createPageMeta(site, {
    title: 'Terms of Service',
    description: `What you agree to when you use ${site.campus.siteName}.`,
    path: links.terms,
  });
};

export default function Terms() {
  const campus = useCampus();
  return (
    <PageBody width="reading">
      <PageHeading subtitle={`Last updated ${legalTextsLastUpdated}`}>Terms of Service</PageHeading>
      <SectionList sections={listTermsSections(campus)} />
    </PageBody>
  );
}
