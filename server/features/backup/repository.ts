import type { Readable, Writable } from 'node:stream';
import { openCopyReader, openCopyWriter } from '#server/platform/postgres/copy.ts';
import type { Queryable, Session } from '#server/platform/postgres/database.ts';
import { columnList, fragment, identifier, trustedSql } from '#server/platform/postgres/sql-fragments.ts';

/** A table and its stored (not generated) columns. */
export interface TableWithColumns {
  schema: string;
  name: string;
  columns: string[];
}

/** Lists the applied migrations in order; returns an empty list when there is no schema. */
export const listAppliedMigrations = async (sql: Queryable): Promise<string[]> => {
  const [table] = await sql<
    { found: string | null }[]
  >`SELECT to_regclass('schema_migrations')::text AS found`;
  if (!table?.found) return [];
  const rows = await sql<{ name: string }[]>`SELECT name FROM schema_migrations ORDER BY id`;
  return rows.map(({ name }) => name);
};

/** Returns whether the database already contains tables. */
export const hasTables = async (sql: Queryable): Promise<boolean> => {
  const [row] = await sql<{ any: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND n.nspname NOT LIKE 'pg\\_toast%' AND n.nspname NOT LIKE 'pg\\_temp%') AS any`;
  return row?.any ?? true;
};

/**
 * Lists the tables to back up, with their stored columns: all tables of the schemas public and
 * private, except those whose content need not be saved. Unlogged tables (rate limit counters) may
 * lose their rows in a database crash anyway. During a restore, triggers fill `search_words` and
 * the migrations fill `schema_migrations`. The job queue is not included either; it has its own
 * schema.
 */
export const listTablesToBackUp = (sql: Queryable): Promise<TableWithColumns[]> =>
  sql<TableWithColumns[]>`
    SELECT n.nspname AS schema, c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE n.nspname IN ('public', 'private') AND c.relkind = 'r' AND c.relpersistence = 'p'
      AND c.relname NOT IN ('schema_migrations', 'search_words')
    GROUP BY n.nspname, c.relname
    ORDER BY n.nspname, c.relname`;

/** Lists which tables reference which others by a foreign key; tables are named as `schema.name`. */
export const listForeignKeys = (sql: Queryable): Promise<{ from: string; to: string }[]> =>
  sql<{ from: string; to: string }[]>`
    SELECT DISTINCT nf.nspname || '.' || f.relname AS "from", nt.nspname || '.' || t.relname AS "to"
    FROM pg_constraint k
      JOIN pg_class f ON f.oid = k.conrelid JOIN pg_namespace nf ON nf.oid = f.relnamespace
      JOIN pg_class t ON t.oid = k.confrelid JOIN pg_namespace nt ON nt.oid = t.relnamespace
    WHERE k.contype = 'f' AND k.conrelid <> k.confrelid AND nf.nspname IN ('public', 'private')`;

const formatTableColumns = ({ schema, name, columns }: TableWithColumns) =>
  fragment`${identifier(schema)}.${identifier(name)} (${columnList(columns)})`;

/** Returns a stream of a table's rows in the text format of PostgreSQL's COPY, one line per row. */
export const openRowReader = (session: Session, table: TableWithColumns): Readable =>
  openCopyReader(session, fragment`COPY ${formatTableColumns(table)} TO STDOUT`);

/**
 * Returns a writable stream that inserts rows into a table (`COPY … FROM STDIN`). It expects the
 * format that `openRowReader` returns.
 */
export const openRowWriter = (tx: Session, table: TableWithColumns): Writable =>
  openCopyWriter(tx, fragment`COPY ${formatTableColumns(table)} FROM STDIN`);

/** Sets the sequences of a table's identity columns to the highest value in its rows. */
export const advanceSequences = async (sql: Queryable, { schema, name }: TableWithColumns): Promise<void> => {
  const columns = await sql<{ name: string; sequence: string }[]>`
    SELECT a.attname::text AS name, pg_get_serial_sequence(a.attrelid::regclass::text, a.attname) AS sequence
    FROM pg_attribute a
    WHERE a.attrelid = ${`${schema}.${name}`}::regclass AND a.attidentity <> '' AND NOT a.attisdropped`;
  for (const column of columns) {
    await sql`
      SELECT setval(${column.sequence}, coalesce(max(${identifier(column.name)}), 1), count(*) > 0)
      FROM ${identifier(schema)}.${identifier(name)}`;
  }
};

/** Removes everything that a failed restore created in a previously empty database. */
export const clearDatabase = async (sql: Queryable): Promise<void> => {
  await sql`DROP SCHEMA IF EXISTS private CASCADE`;
  const tables = await sql<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  for (const { name } of tables) await sql`DROP TABLE IF EXISTS public.${identifier(name)} CASCADE`;
  // Functions of extensions stay, because an administrator may have created the extensions.
  const functions = await sql<{ signature: string }[]>`
    SELECT p.oid::regprocedure::text AS signature FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`;
  for (const { signature } of functions) await sql`DROP FUNCTION IF EXISTS ${trustedSql(signature)} CASCADE`;
};

/** Runs ANALYZE, so that the planner has statistics for the first queries. */
export const analyzeDatabase = async (sql: Queryable): Promise<void> => {
  await sql`ANALYZE`;
};
