import { getAccountSummary } from '#server/features/accounts/public.ts';
import { listSecurityEvents } from '#server/features/audit/public.ts';
import { systemClock } from '../platform/clock.ts';
import { parseCommandArguments, printLine, runCommand, UsageError } from './command.ts';
import { runWithApp } from './run-with-app.ts';

const usage = `Usage: npm run audit -- list [--user <id or address>] [--since 2026-01-31 | 24h | 7d] [--address <client>]
                             [--limit 200] [--before <number>]
Audit entries, the newest last: number, time, event, subject (account), actor, client (a keyed hash of its address),
request, detail, reason. An actor is an account, "visitor" (nobody proved who they are), "system", or "shell:" with the
user who ran a command.`;

const millisecondsPerUnit: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const parseSince = (since: string): Date => {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(since) ?? [];
  const instant = unit
    ? new Date(systemClock.now().getTime() - Number(count) * (millisecondsPerUnit[unit] ?? 0))
    : new Date(since);
  if (Number.isNaN(instant.getTime())) throw new UsageError(usage);
  return instant;
};

await runCommand(async (config, args) => {
  const type = 'string';
  const { values, positionals } = parseCommandArguments(args, usage, {
    user: { type },
    since: { type },
    address: { type },
    limit: { type },
    before: { type },
  });
  const { user, since = '90d', address, limit = '200', before } = values;
  const isList = positionals.length === 0 || (positionals.length === 1 && positionals[0] === 'list');
  if (args.length === 0 || !isList) throw new UsageError(usage);
  const from = parseSince(since);
  if (!/^[1-9]\d{0,5}$/.test(limit) || (before !== undefined && !/^\d{1,15}$/.test(before))) {
    throw new UsageError(usage);
  }
  await runWithApp(config, undefined, async (app) => {
    // Accept an account id without looking it up, so that events of a deleted account can be
    // listed.
    const userId =
      user === undefined || /^[0-9a-f-]{36}$/.test(user) ? user : (await getAccountSummary(app, user)).id;
    const events = await listSecurityEvents(app, {
      userId,
      address,
      since: from,
      limit: Number(limit),
      before: before === undefined ? undefined : Number(before),
    });
    for (const { id, at, event, user_id, actor, client, request_id, detail, reason } of events) {
      const facts = [
        id,
        at.toISOString(),
        event.padEnd(22),
        user_id,
        actor,
        client,
        request_id,
        detail,
        reason,
      ];
      printLine(facts.map((fact) => fact ?? '-').join('  '));
    }
    if (events.length === Number(limit)) printLine(`Older entries: --before ${events[0]?.id}`);
  });
});
