import type { App } from '#server/app.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { deleteCasesAboutPeople, deleteResolvedCases } from './case-repository.ts';
import { toQuotedPhotoKey } from './quote-repository.ts';
import { quotedPhotoRemovalQueue } from './quotes.ts';

/** Number of cases per transaction. It is small enough that a job can remove their photos well within its timeout. */
const casesPerBatch = 50;

/** Deletes cases in batches until `deleteSome` finds no more, and queues the removal of the photos that they quote. */
const removeAll = async (
  { sql, jobs }: App,
  deleteSome: (tx: Queryable, limit: number) => ReturnType<typeof deleteResolvedCases>,
): Promise<void> => {
  const removeSome = (): Promise<number> =>
    runInTransaction(sql, async (tx) => {
      const { cases, quotes } = await deleteSome(tx, casesPerBatch);
      const keys = quotes.flatMap(({ id, photo_count: count }) =>
        Array.from({ length: count }, (_, index) => toQuotedPhotoKey(id, index)),
      );
      if (keys.length > 0) await jobs.enqueue(tx, quotedPhotoRemovalQueue, { keys });
      return cases;
    });
  while ((await removeSome()) === casesPerBatch);
};

/** Deletes the cases that were resolved at or before the given time. */
export const removeCasesResolvedBefore = (app: App, before: Date): Promise<void> =>
  removeAll(app, (tx, limit) => deleteResolvedCases(tx, { before, limit }));

/** Deletes the cases about people, their listings and their messages, whatever their state. */
export const removeCasesAbout = (app: App, personIds: readonly string[]): Promise<void> =>
  removeAll(app, (tx, limit) => deleteCasesAboutPeople(tx, { personIds, limit }));
