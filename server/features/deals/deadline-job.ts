import { findDeadlineTransition } from '#contract/deal-process.ts';
import type { App } from '#server/app.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';
import { lockDealAndListing, makeTransition } from './transitions.ts';

const dealsPerRound = 200;
/** Number of deals processed concurrently. It is low because requests use the same connection pool. */
const concurrency = 4;

const applyDeadline = (app: App, id: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    const locked = await lockDealAndListing(tx, id);
    const name = locked && findDeadlineTransition(locked.deal.state);
    if (name) await makeTransition(app, tx, locked, { name, actor: 'clock', now: app.clock.now() });
  });

/**
 * Makes the transitions of deals whose deadline has passed. Each deal has its own transaction, so after an interruption
 * the next run continues with the remaining deals.
 */
export const applyDealDeadlines = async (app: App): Promise<void> => {
  const attempted = new Set<string>();
  const errors: unknown[] = [];
  for (;;) {
    const due = await repository.listDueDeals(app.sql, app.clock.now(), dealsPerRound + errors.length);
    const queue = due.filter((id) => !attempted.has(id));
    if (queue.length === 0) break;
    const work = async () => {
      for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
        attempted.add(id);
        // A failure for one deal must not stop the others; the next run retries it.
        await applyDeadline(app, id).catch((error: unknown) => errors.push(error));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }
  if (errors.length > 0) throw errors[0];
};
