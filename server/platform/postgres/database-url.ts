import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** Connection settings for both PostgreSQL drivers (`postgres` and `pg`). */
export interface DatabaseConnection {
  /** Connection string without its TLS parameters. */
  url: string;
  /** TLS options; undefined for a connection without TLS. */
  ssl: ConnectionOptions | undefined;
}

const supportedSslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

const readCertificate = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`Cannot read sslrootcert ${file} of DATABASE_URL: ${code}`);
  }
};

/**
 * Splits `databaseUrl` into a URL without TLS parameters and TLS options. The parameters `sslmode`
 * and `sslrootcert` have the same meaning as in libpq (PostgreSQL documentation, "SSL Support").
 * They are removed from the URL because our two drivers interpret them differently.
 *
 * Throws an error with a one-line message when a certificate cannot be read, or when the mode is
 * not `disable`, `require`, `verify-ca` or `verify-full`. The other modes do not guarantee whether
 * TLS is used.
 */
export const parseDatabaseUrl = (databaseUrl: string): DatabaseConnection => {
  const url = new URL(databaseUrl);
  const rootCertificate = url.searchParams.get('sslrootcert') ?? undefined;
  const mode = url.searchParams.get('sslmode') ?? (rootCertificate ? 'verify-full' : 'disable');
  if (!supportedSslModes.includes(mode))
    throw new Error(`sslmode of DATABASE_URL must be one of ${supportedSslModes.join(', ')}`);
  url.searchParams.delete('sslmode');
  url.searchParams.delete('sslrootcert');
  if (mode === 'disable') return { url: url.href, ssl: undefined };
  const isSystem = rootCertificate === undefined || rootCertificate === 'system';
  const ca = isSystem ? {} : { ca: readCertificate(rootCertificate) };
  // The host name that the certificate must match. Without it, Node would expect a server with an
  // IP address to have a certificate for "localhost".
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (mode === 'verify-full') return { url: url.href, ssl: { ...ca, host } };
  if (mode === 'require' && isSystem) return { url: url.href, ssl: { rejectUnauthorized: false } };
  return { url: url.href, ssl: { ...ca, checkServerIdentity: () => undefined } };
};
