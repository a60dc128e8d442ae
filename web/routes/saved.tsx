import { useSearchParams } from 'react-router';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useSession } from '#web/lib/use-session.ts';
import { SavedScreen } from '#web/listings/saved/saved-screen.tsx';
import { SavedSearchesScreen } from '#web/saved-searches/saved-searches-screen.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

export const meta = createScreenMeta('Saved');

/** Saved listings and saved searches. The open tab is part of the URL, so that Back and a reload restore it. */
export default function Saved() {
  const { user } = useSession();
  const [params, setParams] = useSearchParams();
  return (
    <PageBody className="max-md:pt-5!">
      <PageHeading className="mb-2! md:mb-4!">Saved</PageHeading>
      {user && (
        <Tabs
          key={user.id}
          label="Saved"
          value={params.get('tab') === 'searches' ? 'searches' : 'listings'}
          onValueChange={(tab) =>
            setParams(tab === 'searches' ? { tab } : {}, { replace: true, preventScrollReset: true })
          }
          tabs={[
            { value: 'listings', label: 'Listings', content: <SavedScreen ownId={user.id} /> },
            { value: 'searches', label: 'Searches', content: <SavedSearchesScreen ownId={user.id} /> },
          ]}
        />
      )}
    </PageBody>
  );
}
