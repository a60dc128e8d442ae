import { toCampusDay } from '#contract/campus.ts';
import type { App } from '#server/app.ts';
import { notify } from '#server/features/notifications/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { afterCommit, runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './availability-repository.ts';
import { invalidatePagesWithListing } from './own-listings.ts';
import { lockListingChanges } from './repository.ts';

/** Number of people that one statement reads. */
const peoplePerBatch = 500;

/** An id that sorts before all other ids. */
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Handles all people that `list` returns, each in a transaction of their own. A failure for one person does not delay the
 * others: it is thrown at the end, and the next run tries again.
 */
const handlePeople = async (
  list: (page: repository.PeoplePage) => Promise<string[]>,
  handle: (userId: string) => Promise<void>,
): Promise<void> => {
  const failures: unknown[] = [];
  for (let after: string | undefined = nilUuid; after !== undefined; ) {
    const people = await list({ after, limit: peoplePerBatch });
    for (const userId of people) await handle(userId).catch((error: unknown) => failures.push(error));
    after = people.length < peoplePerBatch ? undefined : people.at(-1);
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'Failed to check the availability of the listings of some people');
};

const askPerson = (app: App, userId: string, times: repository.CheckTimes): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    // A suspension locks the account before the listings, too.
    await lockListingChanges(tx, userId);
    if (!(await repository.lockPersonToAsk(tx, userId, times))) return;
    const listingIds = await repository.markAsked(tx, userId, times);
    if (listingIds.length === 0) return;
    const facts = { asked_at: times.now.toISOString(), listing_ids: listingIds };
    await notify(app, tx, 'availability_asked', [{ subjectId: null, facts, userIds: [userId] }]);
  });

const askOwners = async (app: App): Promise<void> => {
  const { sql, clock, config } = app;
  const checkDays = config.listingCheckDays;
  if (checkDays === 0) return repository.stopChecking(sql);
  const now = clock.now();
  const startedAt = await repository.startChecking(sql, { checkDays, now });
  const times: repository.CheckTimes = {
    now,
    startedAt,
    today: toCampusDay(config.campus, now),
    tendedBefore: addSeconds(now, -checkDays * dayInSeconds),
    lastAskedBefore: addSeconds(now, -dayInSeconds),
  };
  await handlePeople(
    (page) => repository.listPeopleToAsk(sql, times, page),
    (userId) => askPerson(app, userId, times),
  );
};

/** Pauses the listings of a person that a question is still open about, and withdraws the other questions. */
const pauseListingsOf = (
  app: App,
  userId: string,
  { askedBefore, now }: { askedBefore: Date; now: Date },
): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    await lockListingChanges(tx, userId);
    const today = toCampusDay(app.config.campus, now);
    for (const { id, category } of await repository.lockUnansweredListings(tx, userId, askedBefore)) {
      if (await repository.isUnanswered(tx, id, today)) {
        await repository.pauseListing(tx, id, now);
        afterCommit(tx, () => invalidatePagesWithListing(app, id, { status: 'published', category }));
      } else await repository.withdrawQuestion(tx, id);
    }
  });

const pauseUnanswered = async (app: App): Promise<void> => {
  const { sql, clock, config } = app;
  if (config.listingCheckDays === 0) return;
  const now = clock.now();
  const askedBefore = addSeconds(now, -config.listingPauseDays * dayInSeconds);
  await handlePeople(
    (page) => repository.listPeopleWithoutAnswer(sql, askedBefore, page),
    (userId) => pauseListingsOf(app, userId, { askedBefore, now }),
  );
};

/**
 * Pauses listings whose owners did not answer whether they are still available, then asks owners about those that nobody
 * has tended for a while. Nobody is asked more than once a day.
 */
export const checkAvailability = async (app: App): Promise<void> => {
  await pauseUnanswered(app);
  await askOwners(app);
};
