import { parseArgs } from 'node:util';
import type { Standing } from '../accounts/standing-service.ts';
import { readActor } from './actor.ts';
import { runCommand, say, UsageError } from './command.ts';
import { withServices } from './house.ts';

const usage = `Usage: npm run user -- <what> <who> [--reason "…"]
  find <text>           accounts whose address or name contains the text
  show <who>            one account
  suspend <who>         ends all sessions, refuses sign-in, hides what is published
  lift <who>            undoes that
  verify <who>          gives the badge of a verified person
  unverify <who>        takes it
  end-sessions <who>    signs the person out everywhere
<who> is an id or a whole address. Everything but find and show needs a reason, which the audit trail keeps.`;

type Summary = Awaited<ReturnType<Standing['get']>>;

const describe = (account: Summary): string =>
  [
    `${account.email}  ${account.full_name ?? '(no name)'}`,
    `  id          ${account.id}`,
    `  since       ${account.created_at.toISOString()}`,
    `  confirmed   ${account.confirmed_at?.toISOString() ?? 'no'}`,
    `  verified    ${account.usc_verified ? 'yes' : 'no'}`,
    `  suspended   ${account.suspended_at?.toISOString() ?? 'no'}`,
    `  sessions    ${account.sessions}${account.last_used_at ? `, last used ${account.last_used_at.toISOString()}` : ''}`,
    `  listings    ${account.published} published, ${account.hidden} hidden`,
  ].join('\n');

type Action = (standing: Standing, who: string) => Promise<Summary[]>;

const reads: Record<string, Action> = {
  find: (standing, text) => standing.find(text),
  show: async (standing, who) => [await standing.get(who)],
};
const changes: Record<string, Action> = {
  suspend: async (standing, who) => [await standing.suspend(who)],
  lift: async (standing, who) => [await standing.lift(who)],
  verify: async (standing, who) => [await standing.setVerified(who, true)],
  unverify: async (standing, who) => [await standing.setVerified(who, false)],
  'end-sessions': async (standing, who) => [await standing.endSessions(who)],
};

const read = (args: string[]) => {
  try {
    return parseArgs({ args, allowPositionals: true, options: { reason: { type: 'string' } } });
  } catch {
    throw new UsageError(usage);
  }
};

await runCommand(async (config, args) => {
  const { values, positionals } = read(args);
  const [what = '', who, ...rest] = positionals;
  const action = Object.hasOwn(changes, what)
    ? changes[what]
    : Object.hasOwn(reads, what)
      ? reads[what]
      : undefined;
  if (!action || !who || rest.length > 0) throw new UsageError(usage);
  const actor = Object.hasOwn(changes, what) ? await readActor(what, values.reason, usage) : undefined;
  await withServices(config, actor, async ({ standing }) => {
    const accounts = await action(standing, who);
    if (accounts.length === 0) throw new Error('There is no such account.');
    for (const account of accounts) say(describe(account));
  });
});
