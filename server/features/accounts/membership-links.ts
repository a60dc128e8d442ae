import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { decryptMembershipToken, type MembershipLink } from '#server/mail/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { findMembershipPerson } from './membership-repository.ts';
import { confirmMembership, findCampusEmail } from './memberships.ts';
import { assertOtherLogInAllowed } from './sign-on-rule.ts';

/** For how many days a link works. */
const linkDays = 60;

/**
 * Returns what a link confirms. Throws unless it is for the campus address that the person has now, and sign_on_required where the
 * university's sign-on is required.
 */
const getUsableLink = async (app: App, sql: Queryable, token: string): Promise<MembershipLink> => {
  const { clock, secrets, config } = app;
  const link = decryptMembershipToken(secrets.pepper, token);
  if (!link) throw createProblem('membership_link_invalid');
  if (clock.now() >= addSeconds(link.askedAt, linkDays * dayInSeconds))
    throw createProblem('membership_link_expired');
  const person = await findMembershipPerson(sql, link.userId);
  if (!person || findCampusEmail(config.campus, person) !== link.email)
    throw createProblem('membership_link_invalid');
  assertOtherLogInAllowed(app, link.email);
  return link;
};

/** Returns the campus address that a link asks. Throws when the link does not work. */
export const getAskedAddress = async (app: App, token: string): Promise<string> =>
  (await getUsableLink(app, app.sql, token)).email;

/** Confirms the membership of the person whom a link asks. */
export const confirmByLink = (app: App, token: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    const { userId } = await getUsableLink(app, tx, token);
    if (!(await confirmMembership(app, tx, userId, 'email_link')))
      throw createProblem('membership_unconfirmable');
  });
