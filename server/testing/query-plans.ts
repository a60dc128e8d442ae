import postgres from 'postgres';
import type { Sql } from '#server/platform/postgres/database.ts';

/** A node of a query plan, as returned by EXPLAIN (FORMAT JSON). */
export interface QueryPlan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: QueryPlan[];
}

/**
 * Runs `work` and returns the plan of each statement that it sent; the plans contain how often each
 * node ran.
 */
export const explainSentStatements = async (
  databaseUrl: string,
  work: (sql: Sql) => Promise<unknown>,
): Promise<QueryPlan[]> => {
  const sent: { statement: string; parameters: unknown[] }[] = [];
  const sql = postgres(databaseUrl, {
    max: 1,
    debug: (_connection, statement, parameters) => sent.push({ statement, parameters: [...parameters] }),
  });
  // The driver reads the database's types before its first statement. Run a statement now, so that
  // this query is not among those recorded for `work`.
  await sql`SELECT 1`;
  sent.splice(0);
  await work(sql as unknown as Sql);
  const plans: QueryPlan[] = [];
  for (const { statement, parameters } of sent.splice(0)) {
    const [row] = await sql.unsafe(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement}`,
      parameters as never[],
    );
    plans.push(row?.['QUERY PLAN'][0].Plan);
  }
  await sql.end();
  return plans;
};

/** Returns the plan nodes that PostgreSQL executed, without the nodes that it skipped. */
export const listExecutedPlanNodes = (plans: readonly QueryPlan[]): QueryPlan[] =>
  plans.flatMap((plan) =>
    plan['Actual Loops'] > 0 ? [plan, ...listExecutedPlanNodes(plan.Plans ?? [])] : [],
  );

/**
 * Returns the number of rows that the scans in query plans read from `table`, or from all tables
 * when it is omitted.
 */
export const countRowsRead = (plans: readonly QueryPlan[], table?: string): number =>
  listExecutedPlanNodes(plans)
    .filter((node) => node['Node Type'].includes('Scan') && (!table || node['Relation Name'] === table))
    .reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    );
