import type { App } from '#server/app.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import { announceDealChange } from './announcing.ts';
import { endNoLaterThan } from './deadlines.ts';
import { findNextNoticeTime, getEarliestUnsentNoticeTime } from './notices.ts';
import { selectDeals, toDealRow, updateDeal } from './repository.ts';
import { findLatestHoldEnd } from './ticket-deals.ts';

/** Ends the hold of a listing earlier if its owner turned it into tickets, or changed the day of their game. */
export const limitTicketHold = async (app: App, tx: Queryable, listingId: string): Promise<void> => {
  const { clock, config } = app;
  const [deal] = await selectDeals(
    tx,
    fragment`WHERE d.listing_id = ${listingId} AND d.kind = 'sale' AND d.state = 'held' FOR NO KEY UPDATE OF d`,
  );
  if (!deal) return;
  const now = clock.now();
  const deadline_at = endNoLaterThan(deal.deadline_at, findLatestHoldEnd(deal, now, config.campus));
  if (deadline_at === deal.deadline_at) return;
  const before = toDealRow(deal);
  const unsentSince = getEarliestUnsentNoticeTime(deal.next_notice_at, now);
  const next_notice_at = findNextNoticeTime({ ...before, deadline_at }, unsentSince, config.campus);
  await updateDeal(tx, before, { ...before, deadline_at, next_notice_at });
  const parties = [deal.buyer_id, deal.seller_id].filter((id) => id !== null);
  announceDealChange(app, tx, {
    changedConversations: parties.map((user_id) => ({ conversation_id: deal.conversation_id, user_id })),
  });
};
