import { z } from 'zod';
import {
  type CaseSummary,
  caseActions,
  caseQuerySchema,
  chosenActionSchema,
  type ModerationAction,
  type ModerationCase,
} from '#contract/moderation.ts';
import { getAccountSummary } from '#server/features/accounts/public.ts';
import {
  assignCase,
  chooseAction,
  getCase,
  listCases,
  undoAction,
} from '#server/features/moderation/public.ts';
import { createShellActor, readActor } from './actor.ts';
import { parseCommandArguments, printLine, runCommand, UsageError } from './command.ts';
import { runWithApp } from './run-with-app.ts';

const usage = `Usage: npm run cases -- <what>
  list [--state open|assigned|resolved] [--risk 1|2|3] [--min-hours 24] [--appeals] [--cursor <cursor>]
                                   by risk and age; without --state all that are not resolved
  show <case>                      everything that moderators see
  assign <case> --to <moderator>   reserves it for 15 minutes for a moderator (id or address)
  act <case> <action> --reason "…" [--days 7] [--now] [--version <version>]
                                   ${caseActions.join(', ')}; takes effect 10 seconds later
                                   with --now, a suspension takes effect immediately
                                   with --version, publishes the listing only as show printed it
  undo <action>                    withdraws an action before it takes effect
                                   an appeal is granted with restore and rejected with dismiss
<case> and <action> are ids. The reason is kept in the audit trail and sent to the person concerned,
except when dismiss rejects no appeal.`;

const stringOption = { type: 'string' } as const;
const commandOptions = {
  state: stringOption,
  risk: stringOption,
  'min-hours': stringOption,
  appeals: { type: 'boolean' },
  cursor: stringOption,
  to: stringOption,
  reason: stringOption,
  days: stringOption,
  now: { type: 'boolean' },
  version: stringOption,
} as const;

const getParsed = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const { data, success } = schema.safeParse(value);
  if (!success) throw new UsageError(usage);
  return data;
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

await runCommand(async (config, args) => {
  const { values, positionals } = parseCommandArguments(args, usage, commandOptions);
  const [what = '', id = '', action, ...rest] = positionals;
  const isWellFormed =
    rest.length === 0 &&
    (what === 'list'
      ? id === ''
      : z.uuid().safeParse(id).success && (what === 'act') === (action !== undefined));
  if (!['list', 'show', 'assign', 'act', 'undo'].includes(what) || !isWellFormed) throw new UsageError(usage);

  if (what === 'list') {
    const query = getParsed(caseQuerySchema, {
      state: values.state,
      risk: values.risk,
      min_hours: values['min-hours'],
      appeals: values.appeals ? 'true' : undefined,
      cursor: values.cursor,
    });
    return runWithApp(config, undefined, async (app) => {
      const { items, next_cursor: cursor } = await listCases(app, createShellActor(what), query);
      if (items.length === 0) printLine('There are no such cases.');
      for (const item of items) printLine(formatSummary(item));
      if (cursor) printLine(`More: --cursor ${cursor}`);
    });
  }
  const actor = what === 'act' ? await readActor(what, values.reason, usage) : createShellActor(what);
  const moderator = { name: actor.name };
  await runWithApp(config, actor, async (app) => {
    if (what === 'show') return printLine(formatCase(await getCase(app, moderator, id)));
    if (what === 'undo') return printLine(formatAction(await undoAction(app, moderator, id)));
    if (what === 'assign') {
      if (values.to === undefined) throw new UsageError(usage);
      const account = await getAccountSummary(app, values.to);
      if (!account.console_role || account.suspended_at)
        throw new Error(`${account.email} is neither a moderator nor an administrator.`);
      return printLine(
        formatCase(await assignCase(app, { userId: account.id, role: account.console_role }, id)),
      );
    }
    const chosen = getParsed(chosenActionSchema, {
      action,
      reason: actor.reason,
      days: values.days === undefined ? undefined : Number(values.days),
      immediately: values.now,
      listing_version: values.version,
    });
    printLine(formatAction(await chooseAction(app, moderator, id, chosen)));
  });
});
