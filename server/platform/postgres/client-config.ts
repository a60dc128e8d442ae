import { type ClientConfig, TypeOverrides, types } from 'pg';
import { parseDatabaseUrl } from './database-url.ts';

const { builtins } = types;
/** Object ids of array types, which `builtins` does not list. */
const arrayTypes = { name: 1003, text: 1009, bigint: 1016, date: 1182, numeric: 1231 };

/** Parsers of the types whose values the driver would otherwise return as other types. */
const createTypeParsers = (): TypeOverrides => {
  const parsers = new TypeOverrides();
  const parseTextArray = types.getTypeParser(arrayTypes.text);
  const parseNumbers = (text: string) =>
    (parseTextArray(text) as (string | null)[]).map((value) => (value === null ? null : Number(value)));
  parsers.setTypeParser(builtins.DATE, String);
  parsers.setTypeParser(arrayTypes.date, parseTextArray);
  // Times of the day are whole minutes.
  parsers.setTypeParser(builtins.TIME, (time) => time.slice(0, 5));
  parsers.setTypeParser(arrayTypes.name, parseTextArray);
  // Numeric columns contain prices, with two decimals and at most eight digits, and bigint columns contain counts and
  // sequence numbers far below 2^53. A JavaScript number represents both exactly.
  parsers.setTypeParser(builtins.NUMERIC, Number);
  parsers.setTypeParser(arrayTypes.numeric, parseNumbers);
  parsers.setTypeParser(builtins.INT8, Number);
  parsers.setTypeParser(arrayTypes.bigint, parseNumbers);
  parsers.setTypeParser(builtins.INTERVAL, String);
  return parsers;
};
const typeParsers = createTypeParsers();

/**
 * Returns the options of the driver for the first server of a connection string. `settings` are PostgreSQL settings for
 * the session, with the names used in `postgresql.conf`. Columns of type date are returned as text (YYYY-MM-DD),
 * time as text (HH:MM), numeric and bigint as numbers.
 */
export const toClientConfig = (url: string, settings: Record<string, string> = {}): ClientConfig => {
  const { url: address, hosts, ssl } = parseDatabaseUrl(url);
  const { username, password, pathname, searchParams } = new URL(address);
  // Parameters of the connection string that are not interpreted elsewhere are settings of the session too.
  const { application_name = 'quad', ...others } = { ...Object.fromEntries(searchParams), ...settings };
  const options = Object.entries(others).map(
    ([name, value]) => `-c ${name}=${value.replace(/[\\ ]/g, '\\$&')}`,
  );
  return {
    ...hosts[0],
    user: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    database: decodeURIComponent(pathname.slice(1)) || undefined,
    ssl: ssl ?? false,
    application_name,
    types: typeParsers,
    ...(options.length > 0 ? { options: options.join(' ') } : {}),
  };
};
