import { parseArgs } from 'node:util';
import { systemClock } from '../platform/clock.ts';
import { runCommand, say, UsageError } from './command.ts';
import { withServices } from './house.ts';

const usage = `Usage: npm run audit -- [--user <id or address>] [--since 2026-01-31 | 24h | 7d] [--address <client>] [--limit 200]
Security events, the newest last: time, event, account, client (a keyed hash of its address), request, detail.`;

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const read = (args: string[]) => {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ args, options: { user: text, since: text, address: text, limit: text } }).values;
  } catch {
    throw new UsageError(usage);
  }
};

const instantOf = (since: string): Date => {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(since) ?? [];
  const instant = unit
    ? new Date(systemClock.now().getTime() - Number(count) * (unitMs[unit] ?? 0))
    : new Date(since);
  if (Number.isNaN(instant.getTime())) throw new UsageError(usage);
  return instant;
};

await runCommand(async (config, args) => {
  const { user, since = '90d', address, limit = '200' } = read(args);
  const from = instantOf(since);
  if (!/^\d{1,6}$/.test(limit)) throw new UsageError(usage);
  await withServices(config, async ({ audit, standing }) => {
    // The events of an account that was deleted are found by its id.
    const userId = user === undefined || /^[0-9a-f-]{36}$/.test(user) ? user : (await standing.get(user)).id;
    const events = await audit.list({ userId, address, since: from, limit: Number(limit) });
    for (const { at, event, user_id, client, request_id, detail } of events) {
      const facts = [at.toISOString(), event.padEnd(22), user_id ?? '-', client ?? '-', request_id ?? '-'];
      say([...facts, detail ?? ''].join('  ').trimEnd());
    }
  });
});
