import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** How both drivers connect to a database. */
export interface DatabaseConnection {
  /** Connection string without its TLS parameters. */
  url: string;
  /** Undefined for a connection without TLS. */
  ssl: ConnectionOptions | undefined;
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full'];

const readCertificate = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`Cannot read sslrootcert ${file} of DATABASE_URL: ${code}`);
  }
};

/**
 * Returns how to connect to `databaseUrl`. Its parameters `sslmode` and `sslrootcert` mean what they mean to libpq
 * (PostgreSQL documentation, "SSL Support"); the two drivers in use each understand them in their own way, so neither
 * gets to see them. Throws, with one line, for a mode other than `disable`, `require`, `verify-ca` and `verify-full`,
 * which all leave no doubt whether the connection is encrypted, and for a certificate that cannot be read.
 */
export const connectionOf = (databaseUrl: string): DatabaseConnection => {
  const url = new URL(databaseUrl);
  const rootCertificate = url.searchParams.get('sslrootcert') ?? undefined;
  const mode = url.searchParams.get('sslmode') ?? (rootCertificate ? 'verify-full' : 'disable');
  if (!modes.includes(mode)) throw new Error(`sslmode of DATABASE_URL must be one of ${modes.join(', ')}`);
  url.searchParams.delete('sslmode');
  url.searchParams.delete('sslrootcert');
  if (mode === 'disable') return { url: url.href, ssl: undefined };
  const isSystem = rootCertificate === undefined || rootCertificate === 'system';
  const ca = isSystem ? {} : { ca: readCertificate(rootCertificate) };
  // The certificate is compared with this name; Node would compare that of an IP address with "localhost".
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (mode === 'verify-full') return { url: url.href, ssl: { ...ca, host } };
  if (mode === 'require' && isSystem) return { url: url.href, ssl: { rejectUnauthorized: false } };
  return { url: url.href, ssl: { ...ca, checkServerIdentity: () => undefined } };
};
