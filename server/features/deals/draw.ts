import { randomInt } from 'node:crypto';
import { type CampusMailboxes, toCanonicalEmail } from '#contract/campus.ts';
import type { Clock } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import * as repository from './draw-repository.ts';

interface DrawDeps {
  sql: Sql;
  clock: Clock;
  campus: CampusMailboxes;
  /**
   * Queues the job that brings a listing's offers and holds into line with the current state of the listing and the
   * parties. The job runs after the commit.
   */
  scheduleSettling(tx: Queryable, settling: { listing_id: string }): Promise<void>;
}

/** Returns the items in a random order; all orders are equally likely (Fisher–Yates shuffle). */
export const shuffle = <Item>(
  items: readonly Item[],
  random: (below: number) => number = randomInt,
): Item[] => {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = random(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other] as Item, shuffled[last] as Item];
  }
  return shuffled;
};

/** Returns the ids of the claims that take part: the first one of each mailbox. */
const listFirstClaims = (campus: CampusMailboxes, claims: readonly repository.DrawClaim[]): string[] => {
  const mailboxes = new Set<string>();
  return claims
    .toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())
    .filter(({ emails }) => {
      const own = emails.map((email) => toCanonicalEmail(campus, email));
      const isFirst = own.every((mailbox) => !mailboxes.has(mailbox));
      for (const mailbox of own) mailboxes.add(mailbox);
      return isFirst;
    })
    .map(({ id }) => id);
};

/**
 * Returns the job that draws the order of the claims for free items whose closing time has passed.
 * Each draw has its own transaction and is final. The drawn claims get new deadlines; later claims
 * are queued behind them.
 */
export const createDrawJob = ({ sql, clock, campus, scheduleSettling }: DrawDeps) => {
  const draw = (id: string): Promise<void> =>
    runInTransaction(sql, async (tx) => {
      const closesAt = await repository.lockUndrawnListing(tx, id, clock.now());
      if (!closesAt) return;
      const claims = await repository.listClaimsBefore(tx, id, closesAt);
      const order = shuffle(listFirstClaims(campus, claims));
      await repository.storeDraw(tx, { listingId: id, order, now: clock.now() });
      await scheduleSettling(tx, { listing_id: id });
    });

  return async (): Promise<void> => {
    for (const id of await repository.listDueDraws(sql, clock.now())) await draw(id);
  };
};
