import { emailSchema, oneTimeCodeLifetimeSeconds, resetLinkLifetimeSeconds } from '#contract/accounts.ts';
import { type ConsoleRole, consoleRoles } from '#contract/console.ts';
import type { App } from '#server/app.ts';
import { deleteAccount } from '#server/features/account-deletion/public.ts';
import {
  type AccountSummary,
  changeConsoleRole,
  confirmWithoutCode,
  createAccount,
  endAccountSessions,
  getAccountSummary,
  maxFoundAccounts,
  removeLostSecondFactor,
  searchAccounts,
  sendResetLink,
  setAccountVerified,
} from '#server/features/accounts/public.ts';
import { liftSuspensionOf, suspendPerson } from '#server/features/moderation/public.ts';
import { isInteractive, promptUser, readActor } from './actor.ts';
import { parseCommandArguments, printLine, runCommand, UsageError } from './command.ts';
import { runWithApp } from './run-with-app.ts';

const usage = `Usage: npm run user -- <what> <who> [--reason "…"] [--days N] [--yes]
  find <text>           accounts whose address or name contains the text
  show <who>            one account
  create <address>      creates an account without a password; a code to sign in with is mailed
  confirm <who>         confirms the address in place of a code; clears password and name of the sign-up
  send-reset <who>      mails a link that sets a new password
  suspend <who>         ends all sessions, refuses sign-in, hides what is published; the person is told the reason by
                        email. With --days N it ends by itself
  lift <who>            undoes that
  verify <who>          gives the badge of a verified person
  unverify <who>        takes it; a campus address does not bring it back
  end-sessions <who>    signs the person out everywhere
  remove-second-factor <who>
                        lets the person log in without the second factor that they lost
  role <who> <role>     gives the role moderator or administrator, or takes it: user
  delete <who>          deletes the account for good, as Delete Account does; asks first, or takes --yes
<who> is an id or a whole address. Everything but find and show needs a reason, which the audit trail keeps.`;

const formatAccount = (account: AccountSummary): string =>
  [
    `${account.email}  ${account.full_name ?? '(no name)'}`,
    `  id          ${account.id}`,
    `  since       ${account.created_at.toISOString()}`,
    `  confirmed   ${account.confirmed_at?.toISOString() ?? 'no'}`,
    `  verified    ${account.usc_verified ? 'yes' : 'no'}${account.campus_email ? `, by ${account.campus_email}` : ''}`,
    `  role        ${account.console_role ?? 'user'}`,
    `  2nd factor  ${account.has_second_factor ? 'yes' : 'no'}`,
    `  suspended   ${account.suspended_at?.toISOString() ?? 'no'}${account.suspended_until ? `, until ${account.suspended_until.toISOString()}` : ''}`,
    `  sessions    ${account.sessions}${account.last_used_at ? `, last used ${account.last_used_at.toISOString()}` : ''}`,
    `  listings    ${account.published} published, ${account.hidden} hidden`,
  ].join('\n');

/** Runs one of the subcommands that act on an account; returns the text to print. */
type AccountAction = (
  app: App,
  who: string,
  options: {
    sure: boolean;
    role?: ConsoleRole | null;
    /** Number of days of a suspension that ends by itself. */
    days: number | null;
  },
) => Promise<string>;

const create: AccountAction = async (app, who) => {
  const { data: email, error } = emailSchema.safeParse(who);
  if (email === undefined) throw new Error(error.issues[0]?.message);
  const id = await createAccount(app, email);
  return `${formatAccount(await getAccountSummary(app, id))}
A code to sign in with was mailed; it works for ${oneTimeCodeLifetimeSeconds / 60} minutes. Later, "Email me a code" on the log-in page
sends another one. An account that nobody confirms is removed after 7 days.`;
};

const confirm: AccountAction = async (app, who) => {
  const changed = await confirmWithoutCode(app, await getAccountSummary(app, who));
  const account = formatAccount(await getAccountSummary(app, who));
  return changed
    ? `${account}\nPassword and name of the sign-up were cleared: the owner signs in with "Email me a code" on the log-in page.`
    : `${account}\nIt was confirmed already; nothing was changed.`;
};

const sendReset: AccountAction = async (app, who) => {
  const account = await getAccountSummary(app, who);
  await sendResetLink(app, account);
  return `A link to set a new password was mailed to ${account.email}; it works for ${resetLinkLifetimeSeconds / 60} minutes.`;
};

const setRole: AccountAction = async (app, who, { role = null }) => {
  const { id } = await getAccountSummary(app, who);
  await changeConsoleRole(app, id, role);
  return formatAccount(await getAccountSummary(app, id));
};

const removeAccount: AccountAction = async (app, who, { sure }) => {
  const account = await getAccountSummary(app, who);
  if (!sure) {
    printLine(formatAccount(account));
    const typed = await promptUser('Type the address to delete this account for good: ');
    if (typed.toLowerCase() !== account.email) throw new Error('Nothing was deleted.');
  }
  await deleteAccount(app, account.id, {
    beforeCommit: (tx) => app.mail.send(tx, { kind: 'account_deleted', to: account.email }),
  });
  return `Deleted ${account.email} (${account.id}), who is told by email.`;
};

const suspend: AccountAction = async (app, who, { days }) => {
  const { reason = '', name = '' } = app.actor ?? {};
  return formatAccount(await suspendPerson(app, who, { days, reason, moderator: { name } }));
};

const readOnlyActions: Record<string, AccountAction> = {
  find: async (app, text) => {
    const accounts = await searchAccounts(app, text);
    if (accounts.length === 0) throw new Error('There is no such account.');
    const more = accounts.length === maxFoundAccounts ? ['There may be more: search for a longer text.'] : [];
    return [...accounts.map(formatAccount), ...more].join('\n');
  },
  show: async (app, who) => formatAccount(await getAccountSummary(app, who)),
};
const actionsByCommand: Record<string, AccountAction> = {
  create,
  confirm,
  'send-reset': sendReset,
  suspend,
  lift: async (app, who) => formatAccount(await liftSuspensionOf(app, who)),
  verify: async (app, who) => formatAccount(await setAccountVerified(app, who, true)),
  unverify: async (app, who) => formatAccount(await setAccountVerified(app, who, false)),
  'end-sessions': async (app, who) => formatAccount(await endAccountSessions(app, who)),
  'remove-second-factor': async (app, who) => {
    const { id } = await getAccountSummary(app, who);
    await removeLostSecondFactor(app, id);
    return `${formatAccount(await getAccountSummary(app, id))}\nThe second factor was removed; the person is notified.`;
  },
  role: setRole,
  delete: removeAccount,
};

/** Parses the name of a console role; returns null for `user`, which means no role. */
const parseRole = (name: string | undefined): ConsoleRole | null => {
  const role = consoleRoles.find((it) => it === name);
  if (!role && name !== 'user') throw new UsageError(usage);
  return role ?? null;
};

/** Parses the number of days of a suspension. Returns null for undefined: the suspension does not end by itself. */
const parseDays = (days: string | undefined): number | null => {
  if (days === undefined) return null;
  if (!/^[1-9]\d{0,3}$/.test(days)) throw new UsageError(`--days takes a number from 1 to 9999.\n${usage}`);
  return Number(days);
};

await runCommand(async (config, args) => {
  const { values, positionals } = parseCommandArguments(args, usage, {
    reason: { type: 'string' },
    days: { type: 'string' },
    yes: { type: 'boolean' },
  });
  const [what = '', who, ...rest] = positionals;
  const change = Object.hasOwn(actionsByCommand, what) ? actionsByCommand[what] : undefined;
  const action = change ?? (Object.hasOwn(readOnlyActions, what) ? readOnlyActions[what] : undefined);
  const role = what === 'role' ? parseRole(rest.pop()) : null;
  const days = parseDays(values.days);
  if (!action || !who || rest.length > 0 || (days && what !== 'suspend')) throw new UsageError(usage);
  const sure = values.yes === true;
  if (what === 'delete' && !sure && !isInteractive()) {
    throw new UsageError(`delete needs --yes where nobody can be asked.\n${usage}`);
  }
  const actor = change && (await readActor(what, values.reason, usage));
  await runWithApp(config, actor, async (app) => printLine(await action(app, who, { sure, role, days })));
});
