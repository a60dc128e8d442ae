import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { openDatabase, type Sql } from './database.ts';

const schemaPath = join(import.meta.dirname, '../../../docs/schema.sql');
const header = `-- The schema after all migrations, for reading only. After adding a migration, renew this file with:
-- npm test -- server/platform/postgres/schema.test.ts -u
`;

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** Lists the definitions of our tables, each with its indexes and triggers, by schema and name. */
const listTables = () => sql<{ definition: string }[]>`
  SELECT concat_ws(E'\n',
    format(E'CREATE %s %s (\n%s\n);', CASE WHEN t.relpersistence = 'u' THEN 'UNLOGGED TABLE' ELSE 'TABLE' END,
      t.oid::regclass, concat_ws(E',\n',
        (SELECT string_agg(
            concat_ws(' ', '  ' || quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
              CASE WHEN a.attidentity <> '' THEN 'GENERATED AS IDENTITY' END,
              CASE WHEN a.attgenerated <> '' THEN format('GENERATED ALWAYS AS (%s)', pg_get_expr(d.adbin, d.adrelid))
                WHEN d.adbin IS NOT NULL THEN 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) END,
              CASE WHEN a.attnotnull THEN 'NOT NULL' END), E',\n' ORDER BY a.attnum)
          FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
          WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped),
        (SELECT string_agg(format('  CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)), E',\n'
            ORDER BY contype DESC, conname COLLATE "C")
          FROM pg_constraint WHERE conrelid = t.oid AND contype IN ('p', 'u', 'f', 'c', 'x')))),
    (SELECT string_agg(pg_get_indexdef(indexrelid) || ';', E'\n' ORDER BY indexrelid::regclass::text COLLATE "C")
      FROM pg_index WHERE indrelid = t.oid
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))),
    (SELECT string_agg(pg_get_triggerdef(oid) || ';', E'\n' ORDER BY tgname COLLATE "C")
      FROM pg_trigger WHERE tgrelid = t.oid AND NOT tgisinternal)) AS definition
  FROM pg_class t
  WHERE t.relkind IN ('r', 'p') AND t.relnamespace IN ('public'::regnamespace, 'private'::regnamespace)
  ORDER BY t.oid::regclass::text COLLATE "C"`;

/** Lists the definitions of our functions, without those of extensions. */
const listFunctions = () => sql<{ definition: string }[]>`
  SELECT rtrim(pg_get_functiondef(f.oid), E'\n') || ';' AS definition
  FROM pg_proc f
  WHERE f.pronamespace IN ('public'::regnamespace, 'private'::regnamespace)
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = f.oid AND deptype = 'e')
  ORDER BY f.oid::regprocedure::text COLLATE "C"`;

test('docs/schema.sql shows the schema after all migrations', async () => {
  const definitions = [...(await listTables()), ...(await listFunctions())].map(
    ({ definition }) => definition,
  );
  await expect(
    `${[header.trimEnd(), ...definitions].join('\n\n')}\n`,
    'renew it with: npm test -- server/platform/postgres/schema.test.ts -u',
  ).toMatchFileSnapshot(schemaPath);
});
