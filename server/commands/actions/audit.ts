import { readConfig } from '#server/config.ts';
import { getAccountSummary } from '#server/features/accounts/public.ts';
import { listSecurityEvents } from '#server/features/audit/public.ts';
import { systemClock } from '../../platform/clock.ts';
import { type JsonOption, printLine, printResult } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { UsageError } from '../usage-error.ts';

const millisecondsPerUnit: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const parseSince = (since: string): Date => {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(since) ?? [];
  const instant = unit
    ? new Date(systemClock.now().getTime() - Number(count) * (millisecondsPerUnit[unit] ?? 0))
    : new Date(since);
  if (Number.isNaN(instant.getTime())) throw new UsageError(`${since} is not a time.`);
  return instant;
};

type SecurityEvent = Awaited<ReturnType<typeof listSecurityEvents>>[number];

const formatEvent = (it: SecurityEvent): string =>
  [
    it.id,
    it.at.toISOString(),
    it.event.padEnd(22),
    it.user_id,
    it.actor,
    it.client,
    it.request_id,
    it.detail,
    it.reason,
  ]
    .map((fact) => fact ?? '-')
    .join('  ');

export const printEntries = async (
  options: JsonOption & {
    user?: string | undefined;
    since: string;
    address?: string | undefined;
    limit: number;
    before?: number | undefined;
  },
): Promise<void> => {
  const { user, address, limit, before } = options;
  const since = parseSince(options.since);
  await runWithApp(readConfig(process.env), undefined, async (app) => {
    // Accept an account id without looking it up, so that events of a deleted account can be
    // listed.
    const userId =
      user === undefined || /^[0-9a-f-]{36}$/.test(user) ? user : (await getAccountSummary(app, user)).id;
    const events = await listSecurityEvents(app, { userId, address, since, limit, before });
    if (options.json) return printResult(events, options, String);
    for (const event of events) printLine(formatEvent(event));
    if (events.length === limit) printLine(`Older entries: --before ${events[0]?.id}`);
  });
};
