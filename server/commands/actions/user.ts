import { emailSchema, oneTimeCodeLifetimeSeconds, resetLinkLifetimeSeconds } from '#contract/accounts.ts';
import { consoleRoles } from '#contract/console.ts';
import type { App } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import {
  type AccountSummary,
  changeConsoleRole,
  confirmWithoutCode,
  countIdentitiesOf,
  createAccount,
  endAccountSessions,
  getAccountSummary,
  listMemberships,
  maxFoundAccounts,
  moveSignOn,
  removeIdentity,
  removeLostSecondFactor,
  searchAccounts,
  sendResetLink,
  setAccountVerified,
} from '#server/features/accounts/public.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { liftSuspensionOf, suspendPerson } from '#server/features/moderation/public.ts';
import { type JsonOption, printLine, printResult } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { UsageError } from '../usage-error.ts';
import { isInteractive, promptUser, type ReasonOptions, readActor } from './actor.ts';

const formatMembership = ({
  membership_ends_on: endsOn,
  membership_ended_at: endedAt,
}: Pick<AccountSummary, 'membership_ends_on' | 'membership_ended_at'>): string => {
  if (endedAt) return `ended ${endedAt.toISOString()}`;
  return endsOn ? `ends ${endsOn}` : '–';
};

const formatAccount = (account: AccountSummary): string =>
  [
    `${account.email}  ${account.full_name ?? '(no name)'}`,
    `  id          ${account.id}`,
    `  since       ${account.created_at.toISOString()}`,
    `  confirmed   ${account.confirmed_at?.toISOString() ?? 'no'}`,
    `  verified    ${account.usc_verified ? 'yes' : 'no'}${account.campus_email ? `, by ${account.campus_email}` : ''}`,
    `  membership  ${formatMembership(account)}`,
    `  role        ${account.console_role ?? 'user'}`,
    `  2nd factor  ${account.has_second_factor ? 'yes' : 'no'}`,
    `  suspended   ${account.suspended_at?.toISOString() ?? 'no'}${account.suspended_until ? `, until ${account.suspended_until.toISOString()}` : ''}`,
    `  sessions    ${account.sessions}${account.last_used_at ? `, last used ${account.last_used_at.toISOString()}` : ''}`,
    `  listings    ${account.published} published, ${account.hidden} hidden`,
  ].join('\n');

/** Returns the fields of an account that `--json` prints. */
const toFields = ({ position: _, ...account }: AccountSummary) => account;

/** Runs an action that changes an account, and prints the text that it returns. */
const runChange = async (
  what: string,
  options: ReasonOptions,
  apply: (app: App) => Promise<string>,
): Promise<void> => {
  const config = readConfig(process.env);
  const actor = await readActor(what, options);
  await runWithApp(config, actor, async (app) => printLine(await apply(app)));
};

export const printMatches = (text: string, options: JsonOption): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) => {
    const accounts = await searchAccounts(app, text);
    if (accounts.length === 0) throw new Error('There is no such account.');
    const more = accounts.length === maxFoundAccounts ? ['There may be more: search for a longer text.'] : [];
    printResult(accounts.map(toFields), options, () => [...accounts.map(formatAccount), ...more].join('\n'));
  });

/** Number of memberships that the command lists. */
const maxListedMemberships = 1000;

/** Prints what ends when: memberships that end, then those to confirm, then those that have ended. */
export const printMemberships = (options: JsonOption): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) => {
    const memberships = await listMemberships(app, maxListedMemberships);
    const more = memberships.length === maxListedMemberships ? ['There may be more.'] : [];
    printResult(memberships, options, () =>
      memberships.length === 0
        ? 'No membership ends.'
        : [
            ...memberships.map(
              ({ email, due_on: dueOn, ends_on: endsOn, ended_at: endedAt, is_denied: isDenied }) => {
                const state = endedAt
                  ? `ended ${endedAt.toISOString().slice(0, 10)}`
                  : endsOn
                    ? `ends ${endsOn}`
                    : dueOn
                      ? `to confirm by ${dueOn}`
                      : 'does not end';
                return `${state}  ${email}${isDenied ? '  (no member, by the sign-on)' : ''}`;
              },
            ),
            ...more,
          ].join('\n'),
    );
  });

export const printUser = (who: string, options: JsonOption): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) => {
    const account = await getAccountSummary(app, who);
    printResult(toFields(account), options, () => formatAccount(account));
  });

export const create = (address: string, options: ReasonOptions): Promise<void> =>
  runChange('create', options, async (app) => {
    const { data: email, error } = emailSchema.safeParse(address);
    if (email === undefined) throw new Error(error.issues[0]?.message);
    const id = await createAccount(app, email);
    return `${formatAccount(await getAccountSummary(app, id))}
A code to sign in with was mailed; it works for ${oneTimeCodeLifetimeSeconds / 60} minutes. Later, "Email me a code" on the log-in page
sends another one. An account that nobody confirms is removed after 7 days.`;
  });

const confirm = async (app: App, who: string): Promise<string> => {
  const changed = await confirmWithoutCode(app, await getAccountSummary(app, who));
  const account = formatAccount(await getAccountSummary(app, who));
  return changed
    ? `${account}\nPassword and name of the sign-up were cleared: the owner signs in with "Email me a code" on the log-in page.`
    : `${account}\nIt was confirmed already; nothing was changed.`;
};

const sendReset = async (app: App, who: string): Promise<string> => {
  const account = await getAccountSummary(app, who);
  await sendResetLink(app, account);
  return `A link to set a new password was mailed to ${account.email}; it works for ${resetLinkLifetimeSeconds / 60} minutes.`;
};

const changes = {
  confirm,
  'send-reset': sendReset,
  lift: async (app: App, who: string) => formatAccount(await liftSuspensionOf(app, who)),
  verify: async (app: App, who: string) => formatAccount(await setAccountVerified(app, who, true)),
  unverify: async (app: App, who: string) => formatAccount(await setAccountVerified(app, who, false)),
  'end-sessions': async (app: App, who: string) => formatAccount(await endAccountSessions(app, who)),
  'remove-second-factor': async (app: App, who: string) => {
    const { id } = await getAccountSummary(app, who);
    await removeLostSecondFactor(app, id);
    return `${formatAccount(await getAccountSummary(app, id))}\nAuthenticator app, recovery codes and passkeys were removed; the person is notified.`;
  },
  'disconnect-sign-on': async (app: App, who: string) => {
    const account = await getAccountSummary(app, who);
    await removeIdentity(app, account.id);
    return `The sign-on was disconnected from ${account.email}; the person is notified.`;
  },
};

/** The changes of an account that need nothing but a reason. */
export type AccountChange = keyof typeof changes;

export const change = (what: AccountChange, who: string, options: ReasonOptions): Promise<void> =>
  runChange(what, options, (app) => changes[what](app, who));

export const suspend = (who: string, options: ReasonOptions & { days?: number | undefined }): Promise<void> =>
  runChange('suspend', options, async (app) => {
    const { reason = '', name = '' } = app.actor ?? {};
    const days = options.days ?? null;
    return formatAccount(await suspendPerson(app, who, { days, reason, moderator: { name } }));
  });

/** Gives a role of the console, or takes it when `role` is `user`. */
export const setRole = (who: string, role: string, options: ReasonOptions): Promise<void> =>
  runChange('role', options, async (app) => {
    const { id } = await getAccountSummary(app, who);
    await changeConsoleRole(app, id, consoleRoles.find((it) => it === role) ?? null);
    return formatAccount(await getAccountSummary(app, id));
  });

export const remove = async (
  who: string,
  options: ReasonOptions & { yes?: true | undefined },
): Promise<void> => {
  const isSure = options.yes === true;
  if (!isSure && !isInteractive()) throw new UsageError('delete needs --yes where nobody can be asked.');
  await runChange('delete', options, async (app) => {
    const account = await getAccountSummary(app, who);
    if (!isSure) {
      printLine(formatAccount(account));
      const typed = await promptUser('Type the address to delete this account for good: ');
      if (typed.toLowerCase() !== account.email) throw new Error('Nothing was deleted.');
    }
    // No other command needs these modules.
    const { deleteAccount } = await import('#server/features/account-deletion/public.ts');
    await deleteAccount(app, account.id, {
      beforeCommit: (tx) => app.mail.send(tx, { kind: 'account_deleted', to: account.email }),
    });
    return `Deleted ${account.email} (${account.id}), who is told by email.`;
  });
};

/** Prints everything stored about a person, as the data export of Settings has it. */
export const exportData = async (who: string, options: ReasonOptions): Promise<void> => {
  const config = readConfig(process.env);
  const actor = await readActor('export', options);
  await runWithApp(config, actor, async (app) => {
    const { id: userId } = await getAccountSummary(app, who);
    // No other command needs these modules.
    const { exportPersonalData } = await import('#server/features/data-export/public.ts');
    await noteSecurityEvent(app, { event: 'data_exported', userId });
    for await (const chunk of await exportPersonalData(app, userId)) process.stdout.write(chunk);
  });
};

/** Moves the connections of all people from one issuer of the university's sign-on to another. */
export const moveSignOnTo = async (
  from: string,
  to: string,
  options: ReasonOptions & { yes?: true | undefined },
): Promise<void> => {
  const isSure = options.yes === true;
  if (!isSure && !isInteractive())
    throw new UsageError('move-sign-on needs --yes where nobody can be asked.');
  if (!URL.canParse(to) || from === to) throw new UsageError('The new issuer must be another URL.');
  await runChange('move-sign-on', options, async (app) => {
    const count = await countIdentitiesOf(app, from);
    if (count === 0) throw new Error(`Nobody is connected with ${from}.`);
    if (!isSure) {
      printLine(`${count} people are connected with ${from}. The subjects of ${to} must be the same.`);
      if ((await promptUser('Type the new issuer to move them: ')) !== to)
        throw new Error('Nothing was moved.');
    }
    return `${await moveSignOn(app, { from, to })} people are connected with ${to} now.`;
  });
};
