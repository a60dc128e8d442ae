import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { CaseAction, ModerationDecision } from '#contract/moderation.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { request } from '#web/lib/api.ts';
import { formatCampusDateTime } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageSpinner } from '#web/ui/page-spinner.tsx';
import { toast } from '#web/ui/toast.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { AppealForm } from './appeal-form.tsx';

const titles: Record<CaseAction, string> = {
  dismiss: 'Dismissed',
  warn: 'Warning',
  unpublish: 'Listing taken down',
  request_changes: 'Changes requested',
  suspend: 'Account suspended',
  restore: 'Decision reversed',
};

/** The moderators' decisions about the signed-in person, with a form to appeal against them. */
export function DecisionsScreen({ ownId }: { ownId: string }) {
  const queryKey = ['decisions', ownId];
  const { data, isError, refetch } = useQuery(
    { queryKey, queryFn: ({ signal }) => request(calls.listDecisions, { signal }) },
    queryClient,
  );
  if (!data) {
    return isError ? (
      <LoadFailed onRetry={() => void refetch()}>Failed to load decisions</LoadFailed>
    ) : (
      <PageSpinner />
    );
  }
  if (data.items.length === 0) {
    return (
      <EmptyState
        illustration={<NothingFoundIllustration />}
        title="No decisions"
        text="Moderators have not decided anything about you."
      />
    );
  }
  return (
    <ul className="grid gap-3">
      {data.items.map((decision) => (
        <DecisionCard
          key={decision.id}
          decision={decision}
          onAppealed={() => {
            toast.success('Appeal sent', 'We will tell you what a moderator decides.');
            void queryClient.invalidateQueries({ queryKey });
          }}
        />
      ))}
    </ul>
  );
}

const getAppealResult = ({ is_granted: isGranted }: NonNullable<ModerationDecision['appeal']>): string => {
  if (isGranted === null) return 'You appealed. A moderator has not decided yet.';
  return isGranted ? 'Your appeal was successful.' : 'Your appeal was rejected.';
};

function DecisionCard({ decision, onAppealed }: { decision: ModerationDecision; onAppealed: () => void }) {
  const campus = useCampus();
  const [isAppealing, setAppealing] = useState(false);
  const focusFallback = useFocusFallback<HTMLLIElement>();
  const { action, title, reason, days, applied_at: appliedAt, restored_at: restoredAt, appeal } = decision;
  return (
    <li {...focusFallback} className="rounded-lg border border-line bg-surface p-4 shadow-sm outline-none">
      <h2 className="break-words font-semibold">
        {[
          titles[action],
          title === null ? '' : `: ${isolateDirection(title || 'Untitled')}`,
          days === null ? '' : ` (${days} ${days === 1 ? 'day' : 'days'})`,
        ].join('')}
      </h2>
      <p className="text-ink-muted text-sm">
        {`${formatCampusDateTime(appliedAt, campus)}${restoredAt ? ' · reversed since' : ''}`}
      </p>
      <p className="mt-1 break-words">{`Reason: ${isolateDirection(reason)}`}</p>
      {appeal && <p className="mt-2 text-sm">{getAppealResult(appeal)}</p>}
      {decision.can_appeal && !isAppealing && (
        <Button variant="secondary" size="sm" className="mt-3" onClick={() => setAppealing(true)}>
          Appeal
        </Button>
      )}
      {isAppealing && decision.can_appeal && (
        <AppealForm about={{ action_id: decision.id }} onSent={onAppealed} />
      )}
    </li>
  );
}
