import type { Queryable } from './database.ts';
import type { Fragment } from './sql-fragments.ts';

const rowsPerBatch = 200;

/**
 * Iterates over the rows of a query, of which only a batch is in memory. Must be called in a transaction, and the
 * iteration must end before the next one begins.
 */
export async function* iterateRows<Row>(tx: Queryable, query: Fragment): AsyncGenerator<Row> {
  await tx`DECLARE iterated_rows NO SCROLL CURSOR FOR ${query}`;
  let batch: Row[];
  do {
    // The columns depend on the cursor, so this statement must not be prepared.
    batch = (await tx.query(`FETCH ${rowsPerBatch} FROM iterated_rows`)) as Row[];
    yield* batch;
  } while (batch.length === rowsPerBatch);
  await tx`CLOSE iterated_rows`;
}
