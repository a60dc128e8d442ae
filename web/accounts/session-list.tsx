import { useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { OwnSession } from '#contract/accounts.ts';
import { calls } from '#contract/calls.ts';
import { type ApiError, request } from '#web/lib/api.ts';
import { formatAge, formatCampusDate } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { toast } from '#web/ui/toast.ts';
import { sessionsKey } from './own-sessions.ts';

const phonePattern = /Android|iOS/;
const getName = ({ device_name }: OwnSession): string => device_name ?? 'A browser';

/** Lists the browsers in which the person is logged in, with a button to log out each of the others. */
export function SessionList({ ownId }: { ownId: string }) {
  const { data, isError, refetch } = useQuery(
    { queryKey: sessionsKey(ownId), queryFn: ({ signal }) => request(calls.listSessions, { signal }) },
    queryClient,
  );
  const [chosen, setChosen] = useState<OwnSession>();

  const end = async ({ id }: OwnSession): Promise<void> => {
    try {
      await request(calls.endSession, { params: { id } });
    } catch (reason) {
      const { code, message } = reason as ApiError;
      if (code !== 'session_not_found') {
        toast.error('Failed to log out that device', message);
        throw reason;
      }
    }
    toast.success('Logged out there');
    queryClient.setQueryData<typeof data>(
      sessionsKey(ownId),
      (before) => before && { items: before.items.filter((it) => it.id !== id) },
    );
  };

  if (!data) {
    return (
      <LoadingOrFailed
        what="your sessions"
        isError={isError}
        onRetry={() => void refetch()}
        className="h-32"
      />
    );
  }
  return (
    <div data-keeps-focus tabIndex={-1} className="outline-none">
      <ul aria-label="Where you are logged in" className="divide-y divide-line">
        {data.items.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => setChosen(session)} />
        ))}
      </ul>
      {chosen && (
        <ConfirmDialog
          open
          onOpenChange={() => setChosen(undefined)}
          title={`Log out ${getName(chosen)}?`}
          description="That device has to log in again. If you do not recognize it, change your password as well."
          confirmLabel="Log out"
          onConfirm={() => end(chosen)}
        />
      )}
    </div>
  );
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const campus = useCampus();
  const name = getName(session);
  const Icon = phonePattern.test(name) ? Smartphone : Monitor;
  return (
    <li className="flex items-center gap-x-4 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-ink-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          <span className="break-words">{name}</span>
          {session.is_current && <Badge tone="positive">This device</Badge>}
          {session.awaits_second_factor && <Badge tone="gold">Waiting for the second step</Badge>}
        </p>
        <p className="text-ink-muted text-sm">
          <span>{`Logged in ${formatCampusDate(session.created_at, campus)}`}</span>
          {!session.is_current && <LastUse at={session.last_used_at} />}
        </p>
      </div>
      {!session.is_current && (
        <OnlineOnlyButton variant="secondary" size="sm" aria-label={`Log out ${name}`} onClick={onEnd}>
          Log out
        </OnlineOnlyButton>
      )}
    </li>
  );
}

/**
 * The server records the time of last use at most once an hour, so more recent use cannot be shown
 * exactly.
 */
function LastUse({ at }: { at: string }) {
  const age = Date.now() - Date.parse(at);
  return age < 3_600_000 ? (
    <span> · used within the last hour</span>
  ) : (
    <span>{` · last used ${formatAge(at, new Date())} ago`}</span>
  );
}
