import { randomBytes } from 'node:crypto';
import { inject, vi } from 'vitest';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { identifier } from '#server/platform/postgres/sql-fragments.ts';

export type TestDatabase = {
  /** Connection string of the new database, which only this test uses. */
  url: string;
  /** Drops the database and terminates its open sessions. */
  drop(): Promise<void>;
};

/** Creates a database for a test: a copy of the migrated template (10 to 30 ms), or an empty one with `migrated: false`. */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const server = inject('databaseServer');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const run = async (statement: (sql: Sql) => Promise<unknown>) => {
    const sql = openDatabase(server, { max: 1 });
    await statement(sql).finally(() => sql.end());
  };
  await run(
    (sql) =>
      sql`create database ${identifier(name)} template ${identifier(migrated ? inject('databaseTemplate') : 'template0')} strategy file_copy`,
  );
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () =>
      run(async (sql) => {
        // The driver may still be closing connections of migrations and jobs, and would throw an uncaught error if one
        // were terminated now.
        const expectClosed = async () => {
          const open = await sql`
            select from pg_stat_activity where datname = ${name} and application_name <> 'quad'`;
          if (open.length > 0) throw new Error('still open');
        };
        await vi.waitFor(expectClosed, { interval: 5, timeout: 1000 }).catch(() => undefined);
        await sql`drop database if exists ${identifier(name)} with (force)`;
      }),
  };
}
