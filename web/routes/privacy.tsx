import { useState } from 'react';
import type { MetaFunction } from 'react-router';
import { SectionList } from '#web/articles/section-list.tsx';
import { listPrivacySections } from '#web/content/privacy.ts';
import { legalTextsLastUpdated } from '#web/content/terms.ts';
import { links } from '#web/lib/links.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

const DataDeletionDialog = lazyDialog(
  async () => (await import('#web/forms/deletion-dialog.tsx')).DataDeletionDialog,
);

export const meta: MetaFunction = ({ matches }) => {
  const site = getSiteData(matches);
  return createPageMeta(site, {
    title: 'Privacy Policy',
    description: `What ${site.campus.siteName} keeps about you, who sees it, and how to have it deleted.`,
    path: links.privacy,
  });
};

export default function Privacy() {
  const campus = useCampus();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  return (
    <PageBody width="reading">
      <PageHeading subtitle={`Last updated ${legalTextsLastUpdated}`}>Privacy Policy</PageHeading>
      <SectionList sections={listPrivacySections(campus)} />
      <Button variant="secondary" className="mt-6" onClick={() => setIsDialogOpen(true)}>
        Request Data Deletion
      </Button>
      {isDialogOpen && <DataDeletionDialog campus={campus} onClose={() => setIsDialogOpen(false)} />}
    </PageBody>
  );
}
