import type { JobQueue } from '#server/platform/jobs.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import { deleteCasesAboutPeople, deleteResolvedCases } from './case-repository.ts';
import { toQuotedPhotoKey } from './quote-repository.ts';
import { quotedPhotoRemovalQueue } from './quotes.ts';

/** Number of cases per transaction. It is small enough that a job can remove their photos well within its timeout. */
const casesPerBatch = 50;

/** Creates the functions that delete cases, and queue the removal of the photos that they quote. */
export const createCaseRemoval = ({ sql, jobs }: { sql: Sql; jobs: Pick<JobQueue, 'enqueue'> }) => {
  const removeAll = async (
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

  return {
    /** Deletes the cases that were resolved at or before the given time. */
    removeResolvedBefore: (before: Date): Promise<void> =>
      removeAll((tx, limit) => deleteResolvedCases(tx, { before, limit })),

    /** Deletes the cases about people, their listings and their messages, whatever their state. */
    removeAbout: (personIds: readonly string[]): Promise<void> =>
      removeAll((tx, limit) => deleteCasesAboutPeople(tx, { personIds, limit })),
  };
};

export type CaseRemoval = ReturnType<typeof createCaseRemoval>;
