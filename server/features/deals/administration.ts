import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import {
  type DealForAdministrators,
  findDealForAdministrators,
  listUnreturnedRentals,
} from './administration-repository.ts';
import { createDealChangePublisher, type DealChangePublisherDeps } from './deal-change-publisher.ts';
import { createDealSteps, lockDealAndListing, type StepDeps } from './steps.ts';

type DealAdministrationDeps = StepDeps & DealChangePublisherDeps & { audit: Pick<AuditTrail, 'note'> };

/** Creates the service with which administrators find and end rentals that have not been returned. */
export const createDealAdministrationService = (deps: DealAdministrationDeps) => {
  const { sql, clock, audit } = deps;
  const steps = createDealSteps(deps);
  const publish = createDealChangePublisher(deps);

  const get = async (id: string): Promise<DealForAdministrators> => {
    const deal = await findDealForAdministrators(sql, id);
    if (!deal) throw createProblem('not_found', { sentence: `There is no deal ${id}` });
    return deal;
  };

  return {
    get,

    /** Lists the rentals of a person (by email address), as owner or renter, that have not been returned. */
    listUnreturnedRentals: (email: string): Promise<DealForAdministrators[]> =>
      listUnreturnedRentals(sql, email),

    /** Ends a rental that was handed over; both parties see the reason in their conversation. */
    endRental: async (id: string, reason: string): Promise<DealForAdministrators> => {
      await get(id);
      const change = await runInTransaction(sql, async (tx) => {
        const locked = await lockDealAndListing(tx, id);
        const now = clock.now();
        const taken =
          locked &&
          (await steps.take(tx, locked, {
            name: 'end_rental',
            actor: 'administrator',
            data: { reason },
            now,
          }));
        if (!taken) throw createProblem('not_found', { sentence: `The deal ${id} is no rental that is out` });
        for (const userId of [locked.deal.seller_id, locked.deal.buyer_id])
          if (userId) await audit.note({ event: 'rental_ended', userId, detail: id }, tx);
        return taken;
      });
      await publish(change);
      return get(id);
    },
  };
};

export type DealAdministrationService = ReturnType<typeof createDealAdministrationService>;
