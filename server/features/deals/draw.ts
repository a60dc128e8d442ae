import { randomInt } from 'node:crypto';
import { type CampusMailboxes, toCanonicalEmail } from '#contract/campus.ts';
import type { App } from '#server/app.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './draw-repository.ts';
import { scheduleSettling } from './settling-queue.ts';

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

const drawGift = (app: App, id: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    const closesAt = await repository.lockUndrawnListing(tx, id, app.clock.now());
    if (!closesAt) return;
    const claims = await repository.listClaimsBefore(tx, id, closesAt);
    const order = shuffle(listFirstClaims(app.config.campus, claims));
    await repository.storeDraw(tx, { listingId: id, order, now: app.clock.now() });
    await scheduleSettling(app, tx, { listing_id: id });
  });

/**
 * Draws the order of the claims for free items whose closing time has passed. Each draw has its own transaction and is
 * final. The drawn claims get new deadlines; later claims are queued behind them.
 */
export const drawGifts = async (app: App): Promise<void> => {
  for (const id of await repository.listDueDraws(app.sql, app.clock.now())) await drawGift(app, id);
};
