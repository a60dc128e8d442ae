import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { maxAwayDays } from '#contract/away.ts';
import { addDays } from '#contract/days.ts';
import { HeldDeals, heldDealsQuery } from '#web/deals/public.ts';
import type { ApiError } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { Calendar } from '#web/ui/calendar.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';
import { FormAlert } from '#web/ui/form-alert.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export interface AwayDialogProps {
  ownId: string;
  /** The current date on campus (YYYY-MM-DD). */
  today: string;
  /** The day that was chosen before, or null. */
  until: string | null;
  /** Stores the day. Throws if that fails. */
  onChoose: (day: string) => Promise<void>;
  onClose: () => void;
}

/** Asks until when a person is away. Names what they have agreed before, which stays as it is. */
export function AwayDialog({ ownId, today, until, onChoose, onClose }: AwayDialogProps) {
  const [day, setDay] = useState(until ?? '');
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { data, isFetching, isError, refetch } = useQuery(
    { ...heldDealsQuery(ownId), staleTime: 0 },
    queryClient,
  );
  // Ignore cached deals until they have been fetched again, because they may be out of date.
  const held = isFetching || isError ? undefined : data;
  const choose = async (): Promise<void> => {
    setFailure(undefined);
    setIsSaving(true);
    try {
      await onChoose(day);
      onClose();
    } catch (error) {
      const { fields, message } = error as ApiError;
      setFailure(fields?.until ?? message);
      setIsSaving(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Away until…"
      description="Your listings are hidden until that day. People can still message you."
      size="sm"
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Cancel</Button>
          </DialogClose>
          <OnlineOnlyButton disabled={!day || !held} loading={isSaving} onClick={() => void choose()}>
            Hide my listings
          </OnlineOnlyButton>
        </>
      }
    >
      {held ? (
        <div className="space-y-4">
          {held.items.length > 0 && (
            <section aria-label="What stays as it is" className="space-y-2">
              <p className="font-semibold text-sm">These stay as they are:</p>
              <HeldDeals deals={held.items} hasMore={held.next_cursor !== null} />
            </section>
          )}
          <Calendar
            mode="day"
            chosen={day}
            onChoose={setDay}
            from={addDays(today, 1)}
            to={addDays(today, maxAwayDays)}
            today={today}
          />
          {failure && <FormAlert>{failure}</FormAlert>}
        </div>
      ) : isFetching ? (
        <div role="status">
          <span className="sr-only">Loading what you have agreed</span>
          <Skeleton className="h-90 w-full" />
        </div>
      ) : (
        <LoadFailed onRetry={() => void refetch()}>Failed to load what you have agreed</LoadFailed>
      )}
    </Dialog>
  );
}
