import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';

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
  const sent: { statement: string; parameters: readonly unknown[] }[] = [];
  const sql = openDatabase(databaseUrl, {
    max: 1,
    onStatement: (statement, parameters) => sent.push({ statement, parameters }),
  });
  await work(sql);
  const plans: QueryPlan[] = [];
  for (const { statement, parameters } of sent.splice(0)) {
    const [row] = await sql.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement}`, parameters);
    plans.push(row?.['QUERY PLAN'][0].Plan);
  }
  await sql.end();
  return plans;
};

/**
 * Runs `work`, which sends one statement. Returns the plan of that statement which PostgreSQL makes without knowing its
 * parameters and may use once a connection has sent the statement several times.
 */
export const explainGenericPlan = async (
  databaseUrl: string,
  work: (sql: Sql) => Promise<unknown>,
): Promise<QueryPlan> => {
  const sent: { statement: string; parameters: readonly unknown[] }[] = [];
  const sql = openDatabase(databaseUrl, {
    max: 1,
    onStatement: (statement, parameters) => sent.push({ statement, parameters }),
  });
  await work(sql);
  const [{ statement, parameters } = { statement: '', parameters: [] }] = sent;
  const values = parameters.map((value) => `'${String(value).replaceAll("'", "''")}'`);
  await sql.query(`PREPARE sent AS ${statement}`);
  await sql`SET plan_cache_mode = force_generic_plan`;
  const [row] = await sql.query(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE sent(${values.join(', ')})`,
  );
  await sql.end();
  return row?.['QUERY PLAN'][0].Plan;
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
