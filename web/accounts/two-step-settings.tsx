import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { recoveryCodeCount } from '#contract/accounts.ts';
import { formatCampusDate } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { refreshSessions } from './own-sessions.ts';
import { fetchTwoStepStatus, type TwoStepStatus } from './second-factor-actions.ts';
import type { TwoStepTask } from './two-step-dialog.tsx';

const TwoStepDialog = lazyDialog(async () => (await import('./two-step-dialog.tsx')).TwoStepDialog);

/** If at most this many recovery codes are unused, the settings advise the person to create new ones. */
const fewCodes = 3;

/** The settings of two-step verification: its state, and buttons that change it. */
export function TwoStepSettings({ ownId, email }: { ownId: string; email: string }) {
  const [task, setTask] = useState<TwoStepTask>();
  const { data, isError, refetch } = useQuery(
    { queryKey: ['two-step', ownId], queryFn: fetchTwoStepStatus },
    queryClient,
  );
  if (!data) {
    return (
      <LoadingOrFailed
        what="your log-in settings"
        isError={isError}
        onRetry={() => void refetch()}
        className="h-20"
      />
    );
  }
  return (
    <div data-keeps-focus tabIndex={-1} className="outline-none">
      {data.factorId === undefined ? (
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="max-w-prose text-ink-muted text-sm">
            Protects your account even if somebody knows your password: each log-in also asks for a code from
            an authenticator app on your phone.
          </p>
          <OnlineOnlyButton variant="secondary" onClick={() => setTask({ name: 'set up' })}>
            Set up
          </OnlineOnlyButton>
        </div>
      ) : (
        <TwoStepState status={data} factorId={data.factorId} onChoose={setTask} />
      )}
      {task && (
        <TwoStepDialog
          task={task}
          email={email}
          onChanged={() => {
            void refetch();
            refreshSessions();
          }}
          onClose={() => setTask(undefined)}
        />
      )}
    </div>
  );
}

interface TwoStepStateProps {
  status: TwoStepStatus;
  factorId: string;
  onChoose: (task: TwoStepTask) => void;
}

function TwoStepState({ status: { since, remainingCodes }, factorId, onChoose }: TwoStepStateProps) {
  const campus = useCampus();
  const hasCodes = remainingCodes !== undefined;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Badge tone="positive" icon={<ShieldCheck aria-hidden="true" className="size-4" />}>
          On
        </Badge>
        <p className="text-ink-muted text-sm">
          {`Each log-in asks for a code from your authenticator app${since === undefined ? '' : `, since ${formatCampusDate(since, campus)}`}.`}
        </p>
      </div>
      {hasCodes && remainingCodes > fewCodes ? (
        <p className="text-sm">{`${remainingCodes} of ${recoveryCodeCount} recovery codes are left.`}</p>
      ) : (
        <Alert tone="notice">
          {hasCodes
            ? `${remainingCodes === 0 ? 'No' : `Only ${remainingCodes}`} recovery ${remainingCodes === 1 ? 'code is' : 'codes are'} left. Create new ones, so that you can log in if you lose your phone.`
            : 'You have no recovery codes. Create them, so that you can log in if you lose your phone.'}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        <OnlineOnlyButton variant="secondary" onClick={() => onChoose({ name: 'codes', hasCodes })}>
          {hasCodes ? 'New recovery codes' : 'Create recovery codes'}
        </OnlineOnlyButton>
        <OnlineOnlyButton variant="ghost" onClick={() => onChoose({ name: 'turn off', factorId })}>
          Turn off
        </OnlineOnlyButton>
      </div>
    </div>
  );
}
