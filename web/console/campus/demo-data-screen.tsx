import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { consoleCalls } from '#contract/console-calls.ts';
import { request } from '#web/lib/api.ts';
import { formatCount } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { PageSpinner } from '#web/ui/page-spinner.tsx';
import { toast } from '#web/ui/toast.ts';
import type { ConsoleScreenProps } from '../console-screen.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

/** Shows how much demo data the database contains, with a button that removes it. */
export function DemoDataScreen({ ownId }: ConsoleScreenProps) {
  const campus = useCampus();
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, refetch } = useQuery(
    { queryKey: ['console-demo-data', ownId], queryFn: () => request(consoleCalls.getDemoData, {}) },
    queryClient,
  );
  return (
    <>
      <PageHeading className="mb-4!">Demo data</PageHeading>
      {!data && !error && <PageSpinner />}
      {!data && error && <LoadFailed onRetry={() => void refetch()}>Failed to load the demo data</LoadFailed>}
      {data && (
        <Card padded>
          {data.accounts === 0 ? (
            <p>There is no demo campus in this database.</p>
          ) : (
            <>
              <p>{`${formatCount(data.accounts, campus)} demo accounts with ${formatCount(data.listings, campus)} listings.`}</p>
              <Button variant="danger" className="mt-4" onClick={() => setIsOpen(true)}>
                Remove the demo data
              </Button>
            </>
          )}
        </Card>
      )}
      {isOpen && (
        <ReasonDialog
          title="Remove the demo data?"
          description="Deletes the demo accounts with their listings, photos and conversations, and the cases and forms of the demo campus, for good. If you are logged in with a demo account, it is deleted too."
          confirmLabel="Remove"
          danger
          draftName="remove demo data"
          typed={{ label: 'Type DEMO to confirm', text: 'DEMO' }}
          onClose={() => setIsOpen(false)}
          onConfirm={async (reason) => {
            const removed = await request(consoleCalls.removeDemoData, { body: { reason } });
            toast.success(
              `Removed ${formatCount(removed.accounts, campus)} demo accounts with ${formatCount(removed.listings, campus)} listings`,
            );
            await refetch();
          }}
        />
      )}
    </>
  );
}
