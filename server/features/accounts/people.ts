import {
  type ConsolePerson,
  type ConsolePersonDetail,
  maxListedPersonSessions,
  peoplePageSize,
} from '#contract/console-people.ts';
import { idSchema } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { decodeListCursor, takePage } from '#server/platform/list-position.ts';
import { type AccountSummary, listAccountSummaries } from './account-repository.ts';
import { createMissingAccountProblem } from './missing-account.ts';
import { listRecentSessions } from './session-repository.ts';

const presentPerson = (account: AccountSummary): ConsolePerson => ({
  id: account.id,
  email: account.email,
  full_name: account.full_name,
  campus_email: account.campus_email,
  usc_verified: account.usc_verified,
  membership_ends_on: account.membership_ended_at ? null : account.membership_ends_on,
  membership_ended_at: account.membership_ended_at?.toISOString() ?? null,
  console_role: account.console_role,
  has_second_factor: account.has_second_factor,
  created_at: account.created_at.toISOString(),
  confirmed_at: account.confirmed_at?.toISOString() ?? null,
  suspended_at: account.suspended_at?.toISOString() ?? null,
  suspended_until: account.suspended_until?.toISOString() ?? null,
  sessions: account.sessions,
  last_used_at: account.last_used_at?.toISOString() ?? null,
  published: account.published,
  hidden: account.hidden,
});

/**
 * Returns a page of people, newest first: those whose name or address contains this text, or the person with this id.
 */
export const listPeople = async (
  { sql }: App,
  text: string,
  cursor: string | undefined,
): Promise<{ items: ConsolePerson[]; next_cursor: string | null }> => {
  const wanted = text.trim().toLowerCase();
  const rows = await listAccountSummaries(sql, {
    id: idSchema.safeParse(wanted).success ? wanted : null,
    text: wanted,
    after: decodeListCursor(cursor),
    limit: peoplePageSize + 1,
  });
  const { page, next_cursor } = takePage(rows, peoplePageSize, ({ position }) => position);
  return { items: page.map(presentPerson), next_cursor };
};

/**
 * Returns a person with their most recently used sessions. Throws account_not_found when there is no such person.
 */
export const getPerson = async ({ sql }: App, id: string): Promise<ConsolePersonDetail> => {
  const [account] = await listAccountSummaries(sql, { id, text: '', limit: 1 });
  if (!account) throw createMissingAccountProblem();
  const sessions = await listRecentSessions(sql, id, maxListedPersonSessions);
  return {
    ...presentPerson(account),
    session_list: sessions.map((session) => ({
      id: session.id,
      device_name: session.device_name,
      created_at: session.created_at.toISOString(),
      last_used_at: session.last_used_at.toISOString(),
    })),
  };
};
