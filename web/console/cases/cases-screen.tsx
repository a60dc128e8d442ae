import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { consoleCalls } from '#contract/console-calls.ts';
import type { CaseSummary } from '#contract/moderation.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { request } from '#web/lib/api.ts';
import { formatCampusDateTime, formatCount } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { toast } from '#web/ui/toast.ts';
import { FilterRow, SelectFilter, useUrlFilter } from '../console-filters.tsx';
import { ConsoleList } from '../console-list.tsx';
import type { ConsoleScreenProps } from '../console-screen.ts';
import { consoleLinks } from '../console-sections.ts';
import { useConsoleList } from '../use-console-list.ts';
import { CaseScreen } from './case-screen.tsx';
import {
  caseRiskLabels,
  caseStateLabels,
  caseSubjectLabels,
  reportReasonLabels,
  signalLabels,
} from './labels.ts';
import { ShortcutHelp } from './shortcut-help.tsx';
import { useShortcuts } from './use-shortcuts.ts';

/** Shows the list of cases or, if the path contains an id, one case. */
export function CasesScreen({ ownId, role, id }: ConsoleScreenProps) {
  return id === undefined ? (
    <CaseList ownId={ownId} />
  ) : (
    <CaseScreen key={id} ownId={ownId} role={role} id={id} />
  );
}

const stateOptions = [
  { value: '', label: 'To do' },
  { value: 'open', label: 'Open' },
  { value: 'assigned', label: 'Assigned' },
  { value: 'appeals', label: 'Appeals' },
  { value: 'resolved', label: 'Resolved' },
];
const riskOptions = [
  { value: '', label: 'Any risk' },
  { value: '3', label: 'High' },
  { value: '2', label: 'Medium' },
  { value: '1', label: 'Low' },
];
const ageOptions = [
  { value: '', label: 'Any age' },
  { value: '24', label: 'Older than a day' },
  { value: '72', label: 'Older than 3 days' },
  { value: '168', label: 'Older than a week' },
];

const toQuery = (state: string, risk: string, age: string) => ({
  ...(state === 'appeals'
    ? { appeals: 'true' as const }
    : state
      ? { state: state as CaseSummary['state'] }
      : {}),
  ...(risk && { risk }),
  ...(age && { min_hours: age }),
});

/** The list of cases, sorted by risk and age, with filters and keyboard shortcuts. */
function CaseList({ ownId }: { ownId: string }) {
  const [[state], [risk], [age]] = [useUrlFilter('state'), useUrlFilter('risk'), useUrlFilter('age')];
  const [isHelpOpen, setHelpOpen] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const list = useConsoleList(['console-cases', ownId, state, risk, age], (cursor, signal) =>
    request(consoleCalls.listCases, {
      query: { ...toQuery(state, risk, age), ...(cursor && { cursor }) },
      signal,
    }),
  );
  const move = (step: number) => {
    const links = [...(region.current?.querySelectorAll<HTMLElement>('[data-case]') ?? [])];
    const position = links.indexOf(document.activeElement as HTMLElement);
    links[Math.min(links.length - 1, Math.max(0, position + step))]?.focus();
  };
  const assign = async () => {
    const id = (document.activeElement as HTMLElement | null)?.dataset.case;
    if (id === undefined) return;
    try {
      await request(consoleCalls.assignCase, { params: { id } });
      toast.success('Assigned to you for 15 minutes');
      await queryClient.invalidateQueries({ queryKey: ['console-cases', ownId] });
    } catch (error) {
      toast.error((error as Error).message);
    }
  };
  useShortcuts(region, {
    j: () => move(1),
    k: () => move(-1),
    a: () => void assign(),
    '?': () => setHelpOpen(true),
  });
  return (
    <div ref={region}>
      <PageHeading className="mb-4!">Cases</PageHeading>
      <FilterRow>
        <SelectFilter name="state" label="State" options={stateOptions} />
        <SelectFilter name="risk" label="Risk" options={riskOptions} />
        <SelectFilter name="age" label="Age" options={ageOptions} />
        <ShortcutHelp open={isHelpOpen} onOpenChange={setHelpOpen} />
      </FilterRow>
      <ConsoleList list={list} what="cases" empty="No cases">
        {(cases) => (
          <ul aria-label="Cases" className="grid gap-2">
            {cases.map((item) => (
              <li key={item.id}>
                <CaseRow item={item} />
              </li>
            ))}
          </ul>
        )}
      </ConsoleList>
    </div>
  );
}

function CaseRow({ item }: { item: CaseSummary }) {
  const campus = useCampus();
  const { label, tone } = caseRiskLabels[item.risk];
  const reasons = [
    ...item.reasons.map((reason) => reportReasonLabels[reason]),
    ...item.signals.map((kind) => signalLabels[kind]),
  ];
  const reports = `${formatCount(item.report_count, campus)} ${item.report_count === 1 ? 'report' : 'reports'}`;
  return (
    <Link
      to={consoleLinks.case(item.id)}
      data-case={item.id}
      className="grid gap-1 rounded-lg border border-line bg-surface px-4 py-3 shadow-sm hover:bg-hover"
    >
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{label}</Badge>
        {item.has_appeal && <Badge tone="brand">Appeal</Badge>}
        {item.state !== 'open' && (
          <Badge>
            {item.assigned_to
              ? `Assigned to ${isolateDirection(item.assigned_to.name)}`
              : caseStateLabels[item.state]}
          </Badge>
        )}
        <span className="min-w-0 break-words font-semibold">
          {`${caseSubjectLabels[item.subject]}: ${isolateDirection(item.title || 'Untitled')}`}
        </span>
      </span>
      <span className="text-ink-muted text-sm">
        {[reports, ...reasons, formatCampusDateTime(item.opened_at, campus)].join(' · ')}
      </span>
    </Link>
  );
}
