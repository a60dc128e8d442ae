import { type Campus, isCampusEmail, isSignOnRequired, toCampusDay } from '#contract/campus.ts';
import { getMachineFormat } from '#contract/date-format.ts';
import { createProblem } from '#contract/errors.ts';
import { type App, react } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import {
  markEventsRead,
  notify,
  publishNotificationsChanged,
} from '#server/features/notifications/public.ts';
import { createMembershipToken } from '#server/mail/public.ts';
import { invalidateSellerPages } from '#server/pages/public.ts';
import {
  afterCommit,
  type Queryable,
  runInTransaction,
  type Transaction,
} from '#server/platform/postgres/database.ts';
import { hasIdentity } from './identity-repository.ts';
import * as repository from './membership-repository.ts';
import { findMembershipStep, getDueDay, getEndingDay, scheduleFirstDueDay } from './membership-rules.ts';

// Memberships of the campus, and when they end (docs/decisions/0098).

/** Returns the address whose mailbox proves a person's membership, or undefined when there is none. */
export const findCampusEmail = (
  campus: Campus,
  { email, campus_email: added }: Pick<repository.MembershipPerson, 'email' | 'campus_email'>,
): string | undefined => [email, added ?? ''].find((address) => isCampusEmail(campus, address));

const getToday = ({ clock, config: { campus } }: App): string => toCampusDay(campus, clock.now());

const restore = async (
  app: App,
  tx: Transaction,
  userId: string,
  { had_badge: hadBadge }: repository.Membership,
): Promise<void> => {
  if (hadBadge) await repository.restoreBadge(tx, userId);
  await react(app, tx, 'membership_returned', { userId });
  afterCommit(tx, () => invalidateSellerPages(app, userId));
};

const giveMissingBadge = async (app: App, tx: Transaction, userId: string): Promise<void> => {
  const person = await repository.findMembershipPerson(tx, userId);
  if (!person || person.usc_verified || !isCampusEmail(app.config.campus, person.email)) return;
  await repository.restoreBadge(tx, userId);
  afterCommit(tx, () => invalidateSellerPages(app, userId));
};

/**
 * Records that a person is a member. If the membership was ending, it no longer does; if it has ended, everything returns.
 * Once the university's sign-on has stated that the person is no member, only it or an administrator can confirm the
 * membership: returns false for any other confirmation then.
 */
export const confirmMembership = async (
  app: App,
  tx: Transaction,
  userId: string,
  confirmedWith: repository.ConfirmedWith,
): Promise<boolean> => {
  const before = await repository.findAndLockMembership(tx, userId);
  if (before?.is_denied && confirmedWith !== 'sign_on' && confirmedWith !== 'administrator') return false;
  const dueOn = getDueDay(getToday(app), app.config.membershipDays);
  await repository.storeConfirmation(tx, { userId, now: app.clock.now(), confirmedWith, dueOn });
  // Before memberships were recorded, only the first log-in by the sign-on decided about the badge.
  if (!before && confirmedWith === 'sign_on') await giveMissingBadge(app, tx, userId);
  if (!before || (before.questions === 0 && before.ends_on === null && !before.ended_at)) return true;
  if (before.ended_at) await restore(app, tx, userId, before);
  const event = before.ended_at ? 'membership_returned' : 'membership_confirmed';
  await noteSecurityEvent(app, { event, userId, detail: confirmedWith }, tx);
  await markEventsRead(
    tx,
    userId,
    ['membership_asked', 'membership_ending', 'membership_ended'],
    app.clock.now(),
  );
  afterCommit(tx, () => publishNotificationsChanged(app, [userId]));
  return true;
};

type MailStep = 'asked' | 'ending' | 'ended';

/**
 * Emails a person about their membership. Only the email to the campus address has the link that confirms it, because only
 * its owner may use it, and none where the university's sign-on is required. The email that asks goes there alone; the others
 * also go to the address with which the person logs in.
 */
const mailPerson = async (
  app: App,
  tx: Transaction,
  userId: string,
  { step, day, isDenied = false }: { step: MailStep; day: string; isDenied?: boolean },
): Promise<void> => {
  const person = await repository.findMembershipPerson(tx, userId);
  if (!person) return;
  const askedAt = app.clock.now();
  const campusEmail = findCampusEmail(app.config.campus, person);
  const recipients = new Set([
    ...(campusEmail ? [campusEmail] : []),
    ...(step === 'asked' && campusEmail ? [] : [person.email]),
  ]);
  for (const to of recipients) {
    const hasLink = to === campusEmail && !isDenied && !isSignOnRequired(app.config.campus, to);
    const linkToken = hasLink
      ? createMembershipToken(app.secrets.pepper, { userId, email: to, askedAt })
      : undefined;
    await app.mail.send(tx, { kind: 'membership', to, step, day, isDenied, linkToken });
  }
};

const beginEnding = async (
  app: App,
  tx: Transaction,
  userId: string,
  { endsOn, notices, isDenied }: { endsOn: string; notices: number; isDenied: boolean },
): Promise<void> => {
  await repository.storeEnding(tx, userId, { endsOn, notices, isDenied });
  if (notices === 1) await noteSecurityEvent(app, { event: 'membership_ending', userId, detail: endsOn }, tx);
  await mailPerson(app, tx, userId, { step: 'ending', day: endsOn, isDenied });
  const facts = { day: endsOn, is_denied: isDenied };
  await notify(app, tx, 'membership_ending', [{ subjectId: null, facts, userIds: [userId] }]);
};

/** Begins to end the membership of a person who is no member, as the university's sign-on states. */
export const denyMembership = async (app: App, tx: Transaction, userId: string): Promise<void> => {
  const before = await repository.findAndLockMembership(tx, userId);
  const person = await repository.findMembershipPerson(tx, userId);
  if (!person) return;
  // Somebody who never was a member has nothing to lose.
  if (!before && !person.usc_verified && !isCampusEmail(app.config.campus, person.email))
    return repository.insertDeniedMembership(tx, userId, null);
  if (before?.ended_at || before?.ends_on) return repository.markDenied(tx, userId);
  await beginEnding(app, tx, userId, { endsOn: getEndingDay(getToday(app)), notices: 1, isDenied: true });
};

/** Records a person who has just signed up and is no member, as the university's sign-on states. */
export const recordNonMember = ({ clock }: App, tx: Transaction, userId: string): Promise<void> =>
  repository.insertDeniedMembership(tx, userId, clock.now());

const askPerson = async (
  app: App,
  tx: Transaction,
  userId: string,
  { dueOn, questions }: { dueOn: string; questions: number },
): Promise<void> => {
  const person = await repository.findMembershipPerson(tx, userId);
  const canAnswer = person && (findCampusEmail(app.config.campus, person) || (await hasIdentity(tx, userId)));
  if (!canAnswer)
    return repository.scheduleMembership(tx, userId, { dueOn: null, confirmedWith: 'administrator' });
  await repository.storeQuestion(tx, userId, { dueOn, questions });
  await mailPerson(app, tx, userId, { step: 'asked', day: dueOn });
  await notify(app, tx, 'membership_asked', [{ subjectId: null, facts: { day: dueOn }, userIds: [userId] }]);
};

const end = async (app: App, tx: Transaction, userId: string): Promise<void> => {
  await repository.endMembership(tx, userId, app.clock.now());
  await react(app, tx, 'membership_ended', { userId });
  await noteSecurityEvent(app, { event: 'membership_ended', userId }, tx);
  const membership = await repository.findAndLockMembership(tx, userId);
  await mailPerson(app, tx, userId, {
    step: 'ended',
    day: membership?.ends_on ?? getToday(app),
    isDenied: membership?.is_denied ?? false,
  });
  await notify(app, tx, 'membership_ended', [{ subjectId: null, facts: {}, userIds: [userId] }]);
  afterCommit(tx, () => invalidateSellerPages(app, userId));
};

/** Asks a person, tells them that the membership ends, or ends it, if that is due. */
const takeStep = (app: App, userId: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    // Another process may have taken the step in the meantime.
    const membership = await repository.findAndLockMembership(tx, userId);
    const due = membership && findMembershipStep(membership, getToday(app));
    if (!due) return;
    if (due.step === 'ask') return askPerson(app, tx, userId, due);
    if (due.step === 'end') return end(app, tx, userId);
    return beginEnding(app, tx, userId, { ...due, isDenied: membership.is_denied });
  });

/** Stores when a person of an earlier version, or one whose day passed without a question, has to confirm the membership. */
const schedule = (app: App, userId: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    const { campus, membershipDays } = app.config;
    const person = await repository.findMembershipPerson(tx, userId);
    if (!person) return;
    const canAnswer = findCampusEmail(campus, person) !== undefined || (await hasIdentity(tx, userId));
    const createdOn = toCampusDay(campus, person.created_at);
    await repository.scheduleMembership(tx, userId, {
      dueOn: canAnswer ? scheduleFirstDueDay(createdOn, getToday(app), membershipDays) : null,
      confirmedWith: canAnswer ? null : 'administrator',
    });
  });

/** Number of people whom one run of the job handles in each step. */
const peoplePerRun = 500;
/** The hours of the day on the campus in which people are asked and told. */
const daytime = { from: 9, until: 21 };

const isDaytime = ({ clock, config: { campus } }: App): boolean => {
  const hour = Number(getMachineFormat({ timeZone: campus.timezone, hour: '2-digit' }).format(clock.now()));
  return hour >= daytime.from && hour < daytime.until;
};

/**
 * Asks people to confirm their memberships, and ends those that nobody confirmed, a limited number in each run. A failure
 * for one person does not delay the others: it is thrown at the end, and the next run tries again.
 */
export const checkMemberships = async (app: App): Promise<void> => {
  const { membershipDays, mail } = app.config;
  const today = getToday(app);
  const failures: unknown[] = [];
  const handle = async (people: string[], step: typeof takeStep): Promise<void> => {
    for (const userId of people) await step(app, userId).catch((error: unknown) => failures.push(error));
  };
  // Without mail, nobody could confirm anything.
  const isOn = membershipDays > 0 && mail.by !== 'nothing';
  if (isOn) await handle(await repository.listUnscheduledMembers(app.sql, today, peoplePerRun), schedule);
  const isDay = isDaytime(app);
  const wanted = { today, isAsking: isOn && isDay, isDaytime: isDay, limit: peoplePerRun };
  await handle(await repository.listDueMembers(app.sql, wanted), takeStep);
  if (failures.length > 0)
    throw new AggregateError(failures, 'Failed to check the memberships of some people');
};

/** Least time between two links that a person asks for, in seconds. */
const linkGapSeconds = 60;

/**
 * Mails a link that confirms the membership to the campus address of a person. Throws membership_unconfirmable when no link can
 * confirm it, and rate_limited.
 */
export const mailMembershipLink = async (app: App, userId: string): Promise<void> => {
  app.mail.assertSending();
  await runInTransaction(app.sql, async (tx) => {
    const now = app.clock.now();
    const membership = await repository.findAndLockMembership(tx, userId);
    const person = await repository.findMembershipPerson(tx, userId);
    const to = person && findCampusEmail(app.config.campus, person);
    if (!membership || !to || membership.is_denied || isSignOnRequired(app.config.campus, to))
      throw createProblem('membership_unconfirmable');
    const { link_mailed_at: mailedAt } = membership;
    const wait = mailedAt ? linkGapSeconds - Math.floor((now.getTime() - mailedAt.getTime()) / 1000) : 0;
    if (wait > 0) throw createProblem('rate_limited', { retryAfter: wait });
    await repository.markLinkMailed(tx, userId, now);
    const linkToken = createMembershipToken(app.secrets.pepper, { userId, email: to, askedAt: now });
    await app.mail.send(tx, {
      kind: 'membership',
      to,
      step: 'link',
      day: getToday(app),
      isDenied: false,
      linkToken,
    });
  });
};

/** Lists memberships: those that end next first, then those that have to be confirmed, then those that have ended. */
export const listMemberships = (
  { sql }: App,
  limit: number,
): Promise<readonly repository.ListedMembership[]> => repository.listMemberships(sql, limit);

/** An administrator gave the badge or took it, which also holds for a membership that has ended. */
export const recordBadgeDecision = async (
  app: App,
  tx: Transaction,
  userId: string,
  isVerified: boolean,
): Promise<void> => {
  if (isVerified) await confirmMembership(app, tx, userId, 'administrator');
  else await repository.setReturningBadge(tx, userId, false);
};

/**
 * Forgets the membership of a person who has lost their campus address. One that has ended stays so, and where only members
 * may do something, others stay too.
 */
export const forgetMembership = async ({ config }: App, tx: Queryable, userId: string): Promise<void> => {
  await repository.setReturningBadge(tx, userId, false);
  if (!config.campusOnly) await repository.deleteCurrentMembership(tx, userId);
};

/** Returns whether the university's sign-on has stated that the person is no member. */
export const isDeniedMember = async (tx: Queryable, userId: string): Promise<boolean> =>
  (await repository.findAndLockMembership(tx, userId))?.is_denied ?? false;

/** Returns whether the person has a membership that was last confirmed by other means than a statement of the sign-on. */
export const isConfirmedWithoutSignOn = async (tx: Queryable, userId: string): Promise<boolean> => {
  const membership = await repository.findAndLockMembership(tx, userId);
  return membership !== undefined && membership.confirmed_with !== 'sign_on';
};
