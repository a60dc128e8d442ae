import type { z } from 'zod';
import {
  type CaseSummary,
  caseQuerySchema,
  chosenActionSchema,
  type ModerationAction,
  type ModerationCase,
} from '#contract/moderation.ts';
import type { App, CommandActor } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { getAccountSummary } from '#server/features/accounts/public.ts';
import {
  assignCase,
  chooseAction,
  getCase,
  listCases,
  undoAction,
} from '#server/features/moderation/public.ts';
import { type JsonOption, printLine, printResult } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { UsageError } from '../usage-error.ts';
import { createShellActor, type ReasonOptions, readActor } from './actor.ts';

/** Returns the parsed value; throws a UsageError that names the first wrong part. */
const getParsed = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const { data, success, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw new UsageError(`${issue?.path.join('.')}: ${issue?.message}`);
};

const riskNames = { 1: 'low', 2: 'medium', 3: 'high' } as const;

const formatSummary = (it: CaseSummary): string =>
  [
    it.id,
    it.opened_at,
    riskNames[it.risk].padEnd(6),
    it.state.padEnd(8),
    it.subject.padEnd(7),
    `${it.report_count} reports`,
    it.title,
  ].join('  ');

const formatAction = (it: ModerationAction): string => {
  const state = it.undone_at
    ? it.failure
      ? `did not take effect (${it.failure})`
      : 'undone'
    : it.applied_at
      ? `applied ${it.applied_at}`
      : `takes effect ${it.takes_effect_at}`;
  return `${it.id}  ${it.action}  ${state}  by ${it.actor}: ${it.reason}`;
};

const formatAppeal = ({ text, decided_at, is_granted }: NonNullable<ModerationAction['appeal']>): string => {
  const decision = is_granted ? 'granted' : 'rejected';
  return `${decided_at ? `${decision} ${decided_at}` : 'undecided'}: ${text.replace(/\s+/g, ' ')}`;
};

const formatCase = (it: ModerationCase): string =>
  [
    formatSummary(it),
    `  person      ${it.person ? `${it.person.name} (${it.person.id})` : 'deleted'}`,
    ...it.reports.map((report) => `  report      ${report.reason}: ${report.text.replace(/\s+/g, ' ')}`),
    ...it.signal_details.map(({ kind, detail }) => `  signal      ${kind}: ${detail}`),
    ...it.quotes.map(({ content }) => `  quote       ${JSON.stringify(content)}`),
    ...(it.listing ? [`  listing     ${JSON.stringify(it.listing)}`] : []),
    ...it.actions.flatMap((action) => [
      `  action      ${formatAction(action)}`,
      ...(action.appeal ? [`    appeal    ${formatAppeal(action.appeal)}`] : []),
    ]),
    `  possible    ${it.possible_actions.join(', ') || 'nothing'}`,
    ...(it.dismissal_publishes ? ['  dismiss     publishes the held listing'] : []),
  ].join('\n');

interface FilterOptions extends JsonOption {
  state?: string | undefined;
  risk?: string | undefined;
  minHours?: string | undefined;
  appeals?: true | undefined;
  cursor?: string | undefined;
}

export const printCases = async (options: FilterOptions): Promise<void> => {
  const { state, risk, minHours, appeals, cursor } = options;
  const query = getParsed(caseQuerySchema, {
    state,
    risk,
    min_hours: minHours,
    appeals: appeals ? 'true' : undefined,
    cursor,
  });
  await runWithApp(readConfig(process.env), undefined, async (app) => {
    const { items, next_cursor } = await listCases(app, createShellActor('list'), query);
    if (options.json) return printResult({ items, next_cursor }, options, String);
    if (items.length === 0) printLine('There are no such cases.');
    for (const item of items) printLine(formatSummary(item));
    if (next_cursor) printLine(`More: --cursor ${next_cursor}`);
  });
};

/** Runs an action about a case as a moderator. */
const runAsModerator = async (
  actor: CommandActor,
  run: (app: App, moderator: { name: string }) => Promise<void>,
): Promise<void> => runWithApp(readConfig(process.env), actor, (app) => run(app, { name: actor.name }));

export const printCase = (id: string, options: JsonOption): Promise<void> =>
  runAsModerator(createShellActor('show'), async (app, moderator) =>
    printResult(await getCase(app, moderator, id), options, formatCase),
  );

export const undo = (id: string): Promise<void> =>
  runAsModerator(createShellActor('undo'), async (app, moderator) =>
    printLine(formatAction(await undoAction(app, moderator, id))),
  );

export const assign = (id: string, { to }: { to: string }): Promise<void> =>
  runAsModerator(createShellActor('assign'), async (app) => {
    const account = await getAccountSummary(app, to);
    if (!account.console_role || account.suspended_at)
      throw new Error(`${account.email} is neither a moderator nor an administrator.`);
    printLine(formatCase(await assignCase(app, { userId: account.id, role: account.console_role }, id)));
  });

interface ActOptions extends ReasonOptions {
  days?: number | undefined;
  now?: true | undefined;
  version?: string | undefined;
}

export const act = async (id: string, action: string, options: ActOptions): Promise<void> => {
  const actor = await readActor('act', options);
  const chosen = getParsed(chosenActionSchema, {
    action,
    reason: actor.reason,
    days: options.days,
    immediately: options.now,
    listing_version: options.version,
  });
  await runAsModerator(actor, async (app, moderator) =>
    printLine(formatAction(await chooseAction(app, moderator, id, chosen))),
  );
};
