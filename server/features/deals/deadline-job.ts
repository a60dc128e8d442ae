import { findDeadlineTransition } from '#contract/deal-process.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { createDealChangePublisher, type DealChangePublisherDeps } from './deal-change-publisher.ts';
import * as repository from './repository.ts';
import { createDealSteps, lockDealAndListing, type StepDeps } from './steps.ts';

const dealsPerRound = 200;
/** Number of deals processed concurrently. It is low because requests use the same connection pool. */
const concurrency = 4;

/**
 * Returns the job that makes the transitions of deals whose deadline has passed. Each deal has its own transaction,
 * so after an interruption the next run continues with the remaining deals.
 */
export const createDeadlineJob = (deps: StepDeps & DealChangePublisherDeps) => {
  const { sql, clock } = deps;
  const steps = createDealSteps(deps);
  const publish = createDealChangePublisher(deps);

  const applyDeadline = async (id: string): Promise<void> => {
    const result = await runInTransaction(sql, async (tx) => {
      const locked = await lockDealAndListing(tx, id);
      const name = locked && findDeadlineTransition(locked.deal.state);
      return name && steps.take(tx, locked, { name, actor: 'clock', now: clock.now() });
    });
    if (result) await publish(result);
  };

  return async (): Promise<void> => {
    const attempted = new Set<string>();
    const errors: unknown[] = [];
    for (;;) {
      const due = await repository.listDueDeals(sql, clock.now(), dealsPerRound + errors.length);
      const queue = due.filter((id) => !attempted.has(id));
      if (queue.length === 0) break;
      const work = async () => {
        for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
          attempted.add(id);
          // A failure for one deal must not stop the others; the next run retries it.
          await applyDeadline(id).catch((error: unknown) => errors.push(error));
        }
      };
      await Promise.all(Array.from({ length: concurrency }, work));
    }
    if (errors.length > 0) throw errors[0];
  };
};
