import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { consoleCalls } from '#contract/console-calls.ts';
import type { ConsoleMeetingSpot } from '#contract/console-campus.ts';
import { listSpotFacts } from '#contract/meeting-spots.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { PageSpinner } from '#web/ui/page-spinner.tsx';
import { toast } from '#web/ui/toast.ts';
import type { ConsoleScreenProps } from '../console-screen.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { MeetingSpotDialog } from './spot-dialog.tsx';

type SpotList = { items: ConsoleMeetingSpot[] };
type Open =
  | { what: 'edit'; spot?: ConsoleMeetingSpot }
  | { what: 'confirm' | 'remove'; spot: ConsoleMeetingSpot };

/**
 * Lists the meeting spots, including facts about them that are not confirmed yet and therefore not
 * public.
 */
export function MeetingSpotsScreen({ ownId }: ConsoleScreenProps) {
  const key = ['console-spots', ownId];
  const { data, error, refetch } = useQuery(
    { queryKey: key, queryFn: () => request(consoleCalls.listConsoleSpots, {}) },
    queryClient,
  );
  const [open, setOpen] = useState<Open>();
  const store = (list: SpotList) => queryClient.setQueryData(key, list);
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHeading
        className="mb-4!"
        subtitle="Where people hand items over. Facts besides name and landmark are shown once they are confirmed."
        actions={
          <Button
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setOpen({ what: 'edit' })}
          >
            Add a spot
          </Button>
        }
      >
        Meeting spots
      </PageHeading>
      {!data && !error && <PageSpinner />}
      {!data && error && (
        <LoadFailed onRetry={() => void refetch()}>Failed to load the meeting spots</LoadFailed>
      )}
      {data?.items.length === 0 && <EmptyState title="No meeting spots yet" />}
      <ul data-keeps-focus tabIndex={-1} className="grid gap-3 outline-none md:grid-cols-2">
        {data?.items.map((spot) => (
          <li key={spot.id}>
            <Card padded className="h-full">
              <h2 dir="auto" className="break-words font-bold">
                {spot.name}
              </h2>
              {spot.landmark && (
                <p dir="auto" className="text-ink-muted text-sm">
                  {spot.landmark}
                </p>
              )}
              <SpotFacts spot={spot} />
              <div className="mt-3 flex flex-wrap gap-2">
                <Button variant="secondary" size="sm" onClick={() => setOpen({ what: 'edit', spot })}>
                  Change
                </Button>
                {!spot.confirmed_at && listSpotFacts(spot).length > 0 && (
                  <Button variant="secondary" size="sm" onClick={() => setOpen({ what: 'confirm', spot })}>
                    Confirm
                  </Button>
                )}
                <Button variant="ghost" size="sm" onClick={() => setOpen({ what: 'remove', spot })}>
                  Remove
                </Button>
              </div>
            </Card>
          </li>
        ))}
      </ul>
      {open?.what === 'edit' && <MeetingSpotDialog spot={open.spot} onSaved={store} onClose={close} />}
      {open?.what === 'confirm' && (
        <ReasonDialog
          title={`Confirm ${isolateDirection(open.spot.name)}?`}
          description={`Everybody sees: ${listSpotFacts(open.spot).join(', ')}.`}
          confirmLabel="Confirm"
          draftName={`confirm spot ${open.spot.id}`}
          onClose={close}
          onConfirm={async (reason) => {
            store(
              await request(consoleCalls.confirmSpot, { params: { id: open.spot.id }, body: { reason } }),
            );
            toast.success('Meeting spot confirmed');
          }}
        />
      )}
      {open?.what === 'remove' && (
        <ReasonDialog
          title={`Remove ${isolateDirection(open.spot.name)}?`}
          description="It can no longer be chosen. Agreed handovers keep its name."
          confirmLabel="Remove"
          danger
          draftName={`remove spot ${open.spot.id}`}
          onClose={close}
          onConfirm={async (reason) => {
            store(await request(consoleCalls.removeSpot, { params: { id: open.spot.id }, body: { reason } }));
            toast.success('Meeting spot removed');
          }}
        />
      )}
    </>
  );
}

function SpotFacts({ spot }: { spot: ConsoleMeetingSpot }) {
  const facts = listSpotFacts(spot);
  return (
    <p className="mt-2 flex flex-wrap gap-1.5 text-sm">
      {facts.map((fact) => (
        <Badge key={fact}>{fact}</Badge>
      ))}
      {facts.length > 0 && !spot.confirmed_at && <Badge tone="gold">Not confirmed</Badge>}
    </p>
  );
}
