import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { type ConsoleRole, isConsoleRoleSufficient } from '#contract/console.ts';
import { consoleCalls } from '#contract/console-calls.ts';
import type { CaseAction, ModerationAction, ModerationCase } from '#contract/moderation.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { request } from '#web/lib/api.ts';
import { formatCampusDate, formatCampusDateTime, formatCount } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { toast } from '#web/ui/toast.ts';
import { BackToSection, ConsoleItemPlaceholder } from '../back-to-section.tsx';
import { consoleLinks, consoleSections } from '../console-sections.ts';
import { CaseActionDialog } from './action-dialog.tsx';
import { CaseActionHistory } from './action-history.tsx';
import { getActionTexts } from './action-texts.ts';
import { CaseReports } from './case-reports.tsx';
import { findDecisionObstacle, formatDecisionObstacle } from './decision-obstacle.ts';
import { caseRiskLabels, caseStateLabels, caseSubjectLabels } from './labels.ts';
import { ShortcutHelp } from './shortcut-help.tsx';
import { useShortcuts } from './use-shortcuts.ts';

/** Interval in milliseconds at which a case is refetched while one of its actions is about to take effect. */
const pendingIntervalMs = 2000;
/**
 * Interval in milliseconds at which a case is refetched while it is reserved for somebody else, because the
 * reservation ends by itself.
 */
const reservedIntervalMs = 30_000;

const isPending = ({ applied_at: appliedAt, undone_at: undoneAt }: ModerationAction) =>
  !appliedAt && !undoneAt;

const hasPublicPage = ({ status, is_hidden: isHidden }: NonNullable<ModerationCase['listing']>) =>
  !isHidden && (status === 'published' || status === 'sold');

const findRefetchInterval = (item: ModerationCase | undefined, ownId: string): number | false => {
  if (item?.actions.some(isPending)) return pendingIntervalMs;
  return item?.assigned_to && item.assigned_to.id !== ownId ? reservedIntervalMs : false;
};

/**
 * Shows a moderation case: what was reported, the history of the reported person, and the possible
 * actions.
 */
export function CaseScreen({ ownId, role, id }: { ownId: string; role: ConsoleRole; id: string }) {
  const queryKey = ['console-case', ownId, id];
  const { data, error, refetch } = useQuery(
    {
      queryKey,
      queryFn: ({ signal }) => request(consoleCalls.getCase, { params: { id }, signal }),
      refetchInterval: ({ state }) => findRefetchInterval(state.data, ownId),
    },
    queryClient,
  );
  if (!data) return <ConsoleItemPlaceholder section="cases" error={error} onRetry={() => void refetch()} />;
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey });
    await queryClient.invalidateQueries({ queryKey: ['console-cases', ownId] });
  };
  return <CaseDetails ownId={ownId} role={role} item={data} refresh={refresh} />;
}

interface CaseDetailsProps {
  ownId: string;
  role: ConsoleRole;
  item: ModerationCase;
  refresh: () => Promise<void>;
}

function CaseDetails({ ownId, role, item, refresh }: CaseDetailsProps) {
  const [action, setAction] = useState<CaseAction>();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const run = async (work: () => Promise<unknown>, done: string, toastGroup?: string) => {
    try {
      await work();
      toast.success(done, undefined, undefined, toastGroup);
    } catch (error) {
      toast.error((error as Error).message);
    }
    await refresh();
    // If the action has removed the focused button, move the focus to the case, so that keyboard users do not
    // lose their place.
    if (document.activeElement === document.body) region.current?.focus();
  };
  const assign = () =>
    run(
      () => request(consoleCalls.assignCase, { params: { id: item.id } }),
      'Assigned to you for 15 minutes',
    );
  const undo = (actionId: string) =>
    run(
      () => request(consoleCalls.undoAction, { params: { id: actionId } }),
      'The action was withdrawn',
      // Replaces the toast that offers Undo.
      actionId,
    );
  const obstacle = findDecisionObstacle(item, ownId);
  const canAssign = item.state !== 'resolved' && item.assigned_to === null && obstacle === undefined;
  useShortcuts(region, { ...(canAssign && { a: () => void assign() }), '?': () => setHelpOpen(true) });
  const { label, tone } = caseRiskLabels[item.risk];
  return (
    <div ref={region} tabIndex={-1} className="grid gap-6 outline-none">
      <header>
        <PageHeading className="mb-3!" above={<BackToSection section="cases" />}>
          {`${caseSubjectLabels[item.subject]}: ${isolateDirection(item.title || 'Untitled')}`}
        </PageHeading>
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tone}>{label}</Badge>
          {item.has_appeal && <Badge tone="brand">Appeal</Badge>}
          <Badge>
            {item.assigned_to
              ? `Assigned to ${isolateDirection(item.assigned_to.name)}`
              : caseStateLabels[item.state]}
          </Badge>
          {item.listing && hasPublicPage(item.listing) && (
            <Link
              to={links.listing(item.listing.slug)}
              className="inline-flex min-h-11 items-center underline"
            >
              The listing now
            </Link>
          )}
        </p>
      </header>
      {obstacle && <Alert tone="info">{formatDecisionObstacle(obstacle, item)}</Alert>}
      {item.needs_administrator && item.possible_actions.length > 0 && !obstacle && (
        <Alert tone="info">{`${isolateDirection(item.person?.name ?? 'This person')} has a role in the console, so you can only dismiss this case. Everything else is decided by an administrator.`}</Alert>
      )}
      <section aria-label="Actions" className="flex flex-wrap gap-2">
        {canAssign && (
          <Button variant="secondary" size="sm" onClick={() => void assign()}>
            Assign to me
          </Button>
        )}
        {item.possible_actions.map((name) => {
          const { label, danger } = getActionTexts(item, name);
          return (
            <Button
              key={name}
              size="sm"
              variant={danger ? 'danger' : 'secondary'}
              onClick={() => setAction(name)}
            >
              {label}
            </Button>
          );
        })}
        <ShortcutHelp open={isHelpOpen} onOpenChange={setHelpOpen} />
      </section>
      <CaseActionHistory actions={item.actions} onUndo={(actionId) => void undo(actionId)} />
      <CaseReports item={item} />
      <History item={item} role={role} />
      {action && (
        <CaseActionDialog
          item={item}
          action={action}
          refresh={refresh}
          onUndo={(actionId) => void undo(actionId)}
          onClose={() => setAction(undefined)}
        />
      )}
    </div>
  );
}

/**
 * Returns the path of a person's page in the console or, for those who may not open it, of the public profile, which a
 * suspended person does not have.
 */
const findPersonPath = (id: string, isSuspended: boolean, role: ConsoleRole): string | undefined => {
  if (isConsoleRoleSufficient(role, consoleSections.people.role)) return consoleLinks.person(id);
  return isSuspended ? undefined : links.user(id);
};

/** Facts about the reported person, such as the number of their listings and earlier cases. */
function History({ item: { person, history }, role }: Pick<CaseDetailsProps, 'item' | 'role'>) {
  const campus = useCampus();
  if (!person || !history) return <p className="text-ink-muted">The account was deleted.</p>;
  const facts = [
    ['Joined', formatCampusDate(history.joined_at, campus)],
    ['Verified', history.is_verified ? 'Yes' : 'No'],
    ['Listings', formatCount(history.listings, campus)],
    ['Completed deals', formatCount(history.completed_deals, campus)],
    ['Earlier cases', formatCount(history.earlier_cases, campus)],
    ['Earlier decisions', formatCount(history.earlier_actions, campus)],
    ...(history.suspended_at
      ? [
          [
            'Suspended',
            history.suspended_until
              ? `until ${formatCampusDateTime(history.suspended_until, campus)}`
              : 'permanently',
          ],
        ]
      : []),
  ];
  const path = findPersonPath(person.id, history.suspended_at !== null, role);
  return (
    <section>
      <h2 className="mb-2 font-extrabold text-lg">
        {path ? (
          <Link to={path} className="inline-flex min-h-11 items-center underline">
            <bdi>{person.name}</bdi>
          </Link>
        ) : (
          <bdi>{person.name}</bdi>
        )}
      </h2>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-muted">{name}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
