import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './administration-repository.ts';
import { lockDealAndListing, makeTransition } from './transitions.ts';

/** Returns a deal as administrators see it. Throws not_found when there is no such deal. */
export const getDealForAdministrators = async (
  { sql }: App,
  id: string,
): Promise<repository.DealForAdministrators> => {
  const deal = await repository.findDealForAdministrators(sql, id);
  if (!deal) throw createProblem('not_found', { sentence: `There is no deal ${id}` });
  return deal;
};

/** Lists the rentals of a person (by email address), as owner or renter, that have not been returned. */
export const listUnreturnedRentals = (
  { sql }: App,
  email: string,
): Promise<repository.DealForAdministrators[]> => repository.listUnreturnedRentals(sql, email);

/** Ends a rental that was handed over; both parties see the reason in their conversation. */
export const endRental = async (
  app: App,
  id: string,
  reason: string,
): Promise<repository.DealForAdministrators> => {
  await getDealForAdministrators(app, id);
  await runInTransaction(app.sql, async (tx) => {
    const locked = await lockDealAndListing(tx, id);
    const request = { name: 'end_rental', actor: 'administrator', data: { reason } } as const;
    const ended = locked && (await makeTransition(app, tx, locked, { ...request, now: app.clock.now() }));
    if (!ended) throw createProblem('not_found', { sentence: `The deal ${id} is no rental that is out` });
    for (const userId of [locked.deal.seller_id, locked.deal.buyer_id])
      if (userId) await noteSecurityEvent(app, { event: 'rental_ended', userId, detail: id }, tx);
  });
  return getDealForAdministrators(app, id);
};
