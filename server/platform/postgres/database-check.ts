import { randomInt } from 'node:crypto';
import type { Sql } from './database.ts';
import { type DatabaseUrlSetting, parseDatabaseUrl, redactDatabaseUrl } from './database-url.ts';
import { hasPooler, isTransactionPooler } from './pooler.ts';

/** The oldest supported major version of PostgreSQL. */
const oldestSupportedVersion = 15;

interface DatabaseFacts {
  version: string;
  major: number;
  encoding: string;
  is_read_only: boolean;
  role: string;
  database: string;
  needs_schemas: boolean;
  may_create_schemas: boolean;
  needs_tables: boolean;
  may_create_tables: boolean;
  has_extension: boolean;
}

const readDatabaseFacts = async (sql: Sql): Promise<DatabaseFacts | undefined> => {
  const [facts] = await sql<DatabaseFacts[]>`
    SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::int / 10000 AS major,
      current_setting('server_encoding') AS encoding,
      current_setting('transaction_read_only') = 'on' AS is_read_only,
      quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
      to_regnamespace('private') IS NULL OR to_regnamespace('pgboss') IS NULL AS needs_schemas,
      has_database_privilege(current_database(), 'CREATE') AS may_create_schemas,
      to_regclass('public.schema_migrations') IS NULL AS needs_tables,
      coalesce(has_schema_privilege(to_regnamespace('public'), 'CREATE'), false) AS may_create_tables,
      EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS has_extension`;
  return facts;
};

const describeDatabaseProblem = (facts: DatabaseFacts): string | undefined => {
  const { version, major, encoding, role, database } = facts;
  if (major < oldestSupportedVersion)
    return `it has version ${version}, and ${oldestSupportedVersion} or newer is needed`;
  if (facts.is_read_only) return 'it is read-only';
  if (encoding !== 'UTF8') return `the database has the encoding ${encoding}, and UTF8 is needed`;
  if (facts.needs_schemas && !facts.may_create_schemas)
    return `the role ${role} may not create schemas: GRANT CREATE ON DATABASE ${database} TO ${role}`;
  if (facts.needs_tables && !facts.may_create_tables)
    return `the role ${role} may not create tables: GRANT CREATE ON SCHEMA public TO ${role}`;
  if (!facts.has_extension) return 'its extension pg_trgm is not installed (part of postgresql-contrib)';
  return undefined;
};

const networkErrorDescriptions: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'the host name is unknown (ENOTFOUND)',
  EAI_AGAIN: 'the host name cannot be resolved now (EAI_AGAIN)',
  EHOSTUNREACH: 'there is no route to the host (EHOSTUNREACH)',
  ENETUNREACH: 'there is no route to the host (ENETUNREACH)',
  ETIMEDOUT: 'the host does not answer (ETIMEDOUT)',
  CONNECT_TIMEOUT: 'the host does not answer (CONNECT_TIMEOUT)',
  ECONNRESET: 'it closed the connection (ECONNRESET)',
  CONNECTION_CLOSED: 'it closed the connection (CONNECTION_CLOSED)',
};
const untrustedCertificateCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);
/** Error codes with which a TLS connection fails if the server does not support TLS. */
const missingTlsCodes = new Set([
  'ECONNRESET',
  'CONNECTION_CLOSED',
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
]);

const describeConnectionError = (error: unknown, databaseUrl: string): string => {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  if (untrustedCertificateCodes.has(code))
    return `its certificate is not trusted (${code}); name the issuer's with sslrootcert`;
  if (missingTlsCodes.has(code) && parseDatabaseUrl(databaseUrl).ssl)
    return `it ended the connection (${code}); does it accept TLS, as sslmode asks?`;
  const reason = networkErrorDescriptions[code] ?? (error.message || code);
  // Phrases in the errors of servers that accept only encrypted connections.
  const hint = /no encryption|SSL off/.test(reason) ? '; add ?sslmode=require to QUAD_DATABASE_URL' : '';
  return `${reason.replace(/\s+/g, ' ').trim()}${hint}`;
};

const describePoolerProblem = async (
  sql: Sql,
  databaseUrl: string,
  setting: DatabaseUrlSetting,
): Promise<string | undefined> => {
  if (!(await hasPooler(sql)) || !(await isTransactionPooler(databaseUrl))) return undefined;
  return setting === 'QUAD_DATABASE_URL'
    ? 'it is a connection pooler in transaction mode; name the database behind it with QUAD_DATABASE_DIRECT_URL too'
    : 'it is a connection pooler in transaction mode, and must be the database behind it';
};

interface DatabaseCheckOptions {
  /** Name of the setting that contains the connection string, for error messages. */
  setting?: DatabaseUrlSetting;
  /** Whether a pooler in transaction mode may be in front of the database. */
  allowsTransactionPooler?: boolean;
}

/**
 * Throws unless the PostgreSQL server behind `sql`, a pool opened on `databaseUrl`, can be reached and has the required
 * version, encoding and extension and, while the schema is still missing, the privileges to create it. The error
 * message is one line that names the database and the reason, never the password.
 */
export const assertUsableDatabase = async (
  sql: Sql,
  databaseUrl: string,
  { setting = 'QUAD_DATABASE_URL', allowsTransactionPooler = false }: DatabaseCheckOptions = {},
): Promise<void> => {
  let problem: string | undefined;
  try {
    const facts = await readDatabaseFacts(sql);
    problem = facts && describeDatabaseProblem(facts);
    if (!allowsTransactionPooler) problem ??= await describePoolerProblem(sql, databaseUrl, setting);
  } catch (error) {
    problem = describeConnectionError(error, databaseUrl);
  }
  if (problem === undefined) return;
  throw new Error(`Cannot use PostgreSQL at ${setting} ${redactDatabaseUrl(databaseUrl)}: ${problem}`);
};

/**
 * Throws unless two connections lead to the same database of the same server: an advisory lock that one of them holds
 * cannot be acquired by the other.
 */
export const assertSameDatabase = async (pooled: Sql, direct: Sql): Promise<void> => {
  const key = randomInt(2 ** 47);
  const isSame = await direct.begin(async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(${key}::bigint)`;
    const [row] = await pooled<{ free: boolean }[]>`SELECT pg_try_advisory_xact_lock(${key}::bigint) AS free`;
    return row?.free === false;
  });
  if (!isSame) throw new Error('QUAD_DATABASE_URL and QUAD_DATABASE_DIRECT_URL lead to different databases');
};
