import { z } from 'zod';
import { saleUndoWindowSeconds } from '#contract/selling.ts';
import type { App } from '#server/app.ts';
import type { ListingTerms } from '#server/features/listings/sql.ts';
import type { QueueDefinition } from '#server/platform/jobs.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { changeNoticeDelaySeconds, listTermChanges, storePreviousTerms } from './listing-changes.ts';
import { listOfferAndHoldIdsOfPair, listOfferAndHoldIdsOfPerson } from './listing-rules-repository.ts';
import { lockBuyer } from './party-repository.ts';

/** The deals to check: all deals of a listing, or the deals with the given ids. */
const settlingSchema = z.object({
  listing_id: z.uuid().optional(),
  deal_ids: z.array(z.uuid()).optional(),
});
export type DealSettlingJob = z.infer<typeof settlingSchema>;

/**
 * Queue of the job that ends or renews offers after their listing or a party changed. The job
 * decides by the state that it finds, so a repeated or late run does no harm.
 */
export const dealSettlingQueue: QueueDefinition<DealSettlingJob> = {
  name: 'settle-deals',
  retries: 10,
  retryDelay: 5,
  payload: settlingSchema,
};

/** Number of deals per job. It is small enough that the job finishes well within its timeout. */
const dealsPerJob = 50;

/**
 * Queues a check of a listing's deals, or of the deals with the given ids, in the transaction whose change requires it.
 */
export const scheduleSettling = (
  { jobs }: App,
  tx: Queryable,
  settling: { listing_id: string } | { deal_ids: string[] },
): Promise<void> => jobs.enqueue(tx, dealSettlingQueue, settling);

/** After a listing was marked as sold, queues a check of its deals for the time when this can no longer be undone. */
export const scheduleSaleSettling = (
  { jobs }: App,
  tx: Queryable,
  settling: { listing_id: string },
): Promise<void> =>
  // Wait one second longer, because the database and this process may round the time differently.
  jobs.enqueue(tx, dealSettlingQueue, settling, { delaySeconds: saleUndoWindowSeconds + 1 });

/** Queues a job that informs the parties of a listing's open deals about a change, in the transaction of the change. */
export const scheduleChangeNotices = async (
  { jobs, config }: App,
  tx: Queryable,
  { listing_id, before, after }: { listing_id: string; before: ListingTerms; after: ListingTerms },
): Promise<void> => {
  if (listTermChanges(before, after, config.campus).length === 0) return;
  if (await storePreviousTerms(tx, listing_id, before))
    await jobs.enqueue(tx, dealSettlingQueue, { listing_id }, { delaySeconds: changeNoticeDelaySeconds });
};

/**
 * Stores the terms of a listing that becomes a draft. The settling queued by the same transaction reports what differs
 * if the listing has been published again by then, and otherwise removes them.
 */
export const storePublicTerms = async (
  tx: Queryable,
  listing: ListingTerms & { id: string },
): Promise<void> => {
  await storePreviousTerms(tx, listing.id, listing);
};

/** Prevents these people from starting deals until the transaction ends. */
export const lockStartingDeals = async (tx: Queryable, userIds: readonly string[]): Promise<void> => {
  // Lock people in the same order in every transaction, to avoid deadlocks.
  for (const userId of userIds.toSorted()) await lockBuyer(tx, userId);
};

/** Queues a check of the offers and holds between two people in the transaction with which one blocks the other. */
export const schedulePairSettling = async (
  { jobs }: App,
  tx: Queryable,
  userIds: readonly [string, string],
): Promise<void> => {
  const ids = await listOfferAndHoldIdsOfPair(tx, userIds);
  if (ids.length > 0) await jobs.enqueue(tx, dealSettlingQueue, { deal_ids: ids });
};

/** Queues a check of the person's offers and holds in the transaction that suspends or deletes the account. */
export const scheduleAccountSettling = async (
  { jobs }: App,
  tx: Queryable,
  userId: string,
): Promise<void> => {
  const ids = await listOfferAndHoldIdsOfPerson(tx, userId);
  for (let start = 0; start < ids.length; start += dealsPerJob)
    await jobs.enqueue(tx, dealSettlingQueue, { deal_ids: ids.slice(start, start + dealsPerJob) });
};
