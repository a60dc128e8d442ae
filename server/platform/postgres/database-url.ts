import { readFileSync } from 'node:fs';
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate } from 'node:tls';

/** Address of a PostgreSQL server. */
export interface DatabaseHost {
  /** Host name or IP address (IPv6 without brackets). */
  host: string;
  port: number;
}

/** Connection settings for the PostgreSQL driver. */
export interface DatabaseConnection {
  /** Connection string for the first host, without the parameters that are interpreted here. */
  url: string;
  /** TLS options, or undefined for a connection without TLS. */
  ssl: ConnectionOptions | undefined;
  /** All servers, in the order in which the connection string names them. */
  hosts: DatabaseHost[];
  /** Whether only a server that accepts writes may be used (`target_session_attrs`). */
  needsPrimary: boolean;
}

const supportedSslModes = ['disable', 'require', 'verify-ca', 'verify-full'];
const primaryTargets = ['read-write', 'primary'];
const standbyTargets = ['any', 'standby', 'prefer-standby', 'read-only'];
const defaultPort = '5432';

/** Names of the settings that contain connection strings. */
export type DatabaseUrlSetting = 'QUAD_DATABASE_URL' | 'QUAD_DATABASE_DIRECT_URL' | 'QUAD_DATABASE_READ_URL';

const readCertificate = (file: string, setting: DatabaseUrlSetting): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`Cannot read sslrootcert ${file} of ${setting}: ${code}`);
  }
};

/** Splits `host`, `host:port` or `[address]:port`. Throws a one-line error when it is none of these. */
const parseHost = (text: string, port: string | undefined, setting: DatabaseUrlSetting): DatabaseHost => {
  const [, bracketed, name, ownPort] = /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::(\d+))?$/i.exec(text) ?? [];
  const host = bracketed ?? name;
  const number = Number(ownPort ?? port ?? defaultPort);
  if (!host || number < 1 || number > 65_535) throw new Error(`${setting} has an invalid host: "${text}"`);
  return { host: decodeURIComponent(host), port: number };
};

/** Returns a host as `host:port`, with brackets around an IPv6 address. */
export const formatDatabaseHost = ({ host, port }: DatabaseHost): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Splits off the hosts of a connection string. Like libpq, accepts several hosts as `a:1,b:2` before the path, or as
 * the parameters `host=a,b` and `port=1,2` (PostgreSQL documentation, "Specifying Multiple Hosts").
 */
const splitHosts = (
  databaseUrl: string,
  setting: DatabaseUrlSetting,
): { hosts: DatabaseHost[]; url: URL } => {
  const [, scheme, authority = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(databaseUrl) ?? [];
  if (!scheme || !URL.canParse(`${scheme}localhost${rest}`)) throw new Error(`${setting} is not an address`);
  const at = authority.lastIndexOf('@') + 1;
  const [account, listed] = [authority.slice(0, at), authority.slice(at)];
  const parameters = new URL(`${scheme}${account}localhost${rest}`).searchParams;
  const names = (parameters.get('host') ?? listed).split(',');
  const ports = parameters.get('port')?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== names.length)
    throw new Error(`${setting} has ${names.length} hosts and ${ports.length} ports`);
  const hosts = names.map((name, index) => parseHost(name || 'localhost', ports[index] ?? ports[0], setting));
  const [first] = hosts as [DatabaseHost];
  // The name of a folder is the address of a Unix socket.
  const host = first.host.startsWith('/') ? encodeURIComponent(first.host) : first.host;
  const url = new URL(`${scheme}${account}${formatDatabaseHost({ ...first, host })}${rest}`);
  for (const name of ['host', 'port']) url.searchParams.delete(name);
  return { hosts, url };
};

/** Returns whether a text has the form of a connection string; `parseDatabaseUrl` checks its parameters. */
export const isDatabaseUrl = (text: string): boolean => {
  try {
    splitHosts(text, 'QUAD_DATABASE_URL');
    return true;
  } catch {
    return false;
  }
};

/**
 * Parses a connection string. `sslmode`, `sslrootcert`, several hosts and `target_session_attrs`
 * have the same meaning as in libpq (PostgreSQL documentation, "Connection Strings" and "SSL
 * Support"). They are removed from the URL because the driver interprets them differently. A
 * URL with one host and no `target_session_attrs` is otherwise returned unchanged.
 *
 * Throws an error with a one-line message when a certificate cannot be read, when the hosts are
 * malformed, when several hosts are named without `target_session_attrs=read-write` (or `primary`),
 * or when the TLS mode is not `disable`, `require`, `verify-ca` or `verify-full`. The other modes
 * do not guarantee whether TLS is used.
 */
export const parseDatabaseUrl = (
  databaseUrl: string,
  setting: DatabaseUrlSetting = 'QUAD_DATABASE_URL',
): DatabaseConnection => {
  const { hosts, url: split } = splitHosts(databaseUrl, setting);
  const isPlain = hosts.length === 1 && URL.canParse(databaseUrl) && !/[?&](?:host|port)=/.test(databaseUrl);
  const url = isPlain ? new URL(databaseUrl) : split;

  const target = url.searchParams.get('target_session_attrs') ?? 'any';
  const needsPrimary = primaryTargets.includes(target);
  if (target !== 'any' && !needsPrimary)
    throw new Error(`target_session_attrs of ${setting} must be read-write, because Quad writes`);
  if (hosts.length > 1 && !needsPrimary)
    throw new Error(`${setting} names several hosts and needs target_session_attrs=read-write`);
  url.searchParams.delete('target_session_attrs');

  const rootCertificate = url.searchParams.get('sslrootcert') ?? undefined;
  const mode = url.searchParams.get('sslmode') ?? (rootCertificate ? 'verify-full' : 'disable');
  if (!supportedSslModes.includes(mode))
    throw new Error(`sslmode of ${setting} must be one of ${supportedSslModes.join(', ')}`);
  url.searchParams.delete('sslmode');
  url.searchParams.delete('sslrootcert');

  const withSsl = (ssl: ConnectionOptions | undefined): DatabaseConnection => ({
    url: url.href,
    ssl,
    hosts,
    needsPrimary,
  });
  if (mode === 'disable') return withSsl(undefined);
  const isSystem = rootCertificate === undefined || rootCertificate === 'system';
  const ca = isSystem ? {} : { ca: readCertificate(rootCertificate, setting) };
  if (mode === 'verify-full') return withSsl({ ...ca, ...createNameCheck(hosts) });
  if (mode === 'require' && isSystem) return withSsl({ rejectUnauthorized: false });
  return withSsl({ ...ca, checkServerIdentity: () => undefined });
};

/**
 * TLS options that check the host name in the certificate. With several hosts, it is enough that the
 * certificate is valid for any one of them, because the driver does not know which host a connection goes to.
 */
const createNameCheck = (hosts: DatabaseHost[]): ConnectionOptions => {
  const [first] = hosts;
  // Without `host`, Node would expect a server with an IP address to have a certificate for "localhost".
  if (hosts.length === 1 && first) return { host: first.host };
  return {
    checkServerIdentity: (_, certificate: PeerCertificate) => {
      const errors = hosts.map(({ host }) => checkServerIdentity(host, certificate));
      return errors.includes(undefined) ? undefined : errors[0];
    },
  };
};

/** Returns hosts, ports and database of a connection string: the parts that may appear in error messages. */
export const redactDatabaseUrl = (databaseUrl: string): string => {
  const { hosts, url } = parseDatabaseUrl(databaseUrl);
  const { host, pathname } = new URL(url);
  return `${hosts.length > 1 ? hosts.map(formatDatabaseHost).join(',') : host}${pathname}`;
};

/**
 * Splits the connection string of `QUAD_DATABASE_READ_URL` into one for each server. Throws an error with a one-line message
 * when it is malformed.
 */
export const splitReadDatabaseUrl = (readUrl: string): string[] => {
  const { hosts, url } = splitHosts(readUrl, 'QUAD_DATABASE_READ_URL');
  const target = url.searchParams.get('target_session_attrs') ?? 'any';
  if (!standbyTargets.includes(target))
    throw new Error(
      `target_session_attrs of QUAD_DATABASE_READ_URL must be one of ${standbyTargets.join(', ')}`,
    );
  url.searchParams.delete('target_session_attrs');
  return hosts.map((host) => {
    const single = new URL(url);
    single.host = formatDatabaseHost(host);
    // Parse each URL now, so that wrong TLS parameters are reported when the server starts.
    parseDatabaseUrl(single.href, 'QUAD_DATABASE_READ_URL');
    return single.href;
  });
};
