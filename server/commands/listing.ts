import { parseArgs } from 'node:util';
import { listNewestReports } from '../forms/reports-service.ts';
import type { Hiding } from '../listings/hiding-service.ts';
import { readActor } from './actor.ts';
import { runCommand, say, UsageError } from './command.ts';
import { withServices } from './house.ts';

const usage = `Usage: npm run listing -- <what>
  reports [--limit 20]                        the newest reports of people
  show <listing>                              one listing
  take-down <listing> --reason "sentence"     hides it; its owner is told the reason
  restore <listing> --reason "sentence"       shows it again
<listing> is an id or the last part of its address. The audit trail keeps the reasons.`;

type Moderated = Awaited<ReturnType<Hiding['get']>>;

const describe = (listing: Moderated): string =>
  [
    `${listing.slug}  ${listing.title ?? '(no title)'}`,
    `  id          ${listing.id}`,
    `  owner       ${listing.owner_email} (${listing.user_id})${listing.owner_suspended ? ', suspended' : ''}`,
    `  status      ${listing.hidden_with === null ? listing.status : 'hidden'}`,
    ...(listing.hidden_with === 'listing' ? [`  reason      ${listing.hidden_reason}`] : []),
  ].join('\n');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const read = (args: string[]) => {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { reason: { type: 'string' }, limit: { type: 'string' } },
    });
  } catch {
    throw new UsageError(usage);
  }
};

await runCommand(async (config, args) => {
  const { values, positionals } = read(args);
  const [what, listing, ...rest] = positionals;
  const limit = Number(values.limit ?? 20);
  const wellFormed =
    what === 'reports'
      ? listing === undefined && Number.isInteger(limit) && limit > 0
      : listing !== undefined && ['show', 'take-down', 'restore'].includes(what ?? '');
  if (!wellFormed || rest.length > 0) throw new UsageError(usage);
  const actor =
    what === 'take-down' || what === 'restore' ? await readActor(what, values.reason, usage) : undefined;
  await withServices(config, actor, async ({ sql, hiding }) => {
    if (what === 'reports') {
      for (const report of await listNewestReports(sql, limit)) {
        say(`${report.created_at.toISOString()}  ${oneLine(report.subject)}  ${report.item_link ?? ''}`);
        say(`  from ${report.reporter_email ?? 'somebody not signed in'}: ${oneLine(report.details)}`);
      }
      return;
    }
    const name = listing ?? '';
    if (what === 'take-down') say(describe(await hiding.takeDown(name, actor?.reason ?? '')));
    else if (what === 'restore') say(describe(await hiding.restore(name)));
    else say(describe(await hiding.get(name)));
  });
});
