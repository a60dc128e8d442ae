import { type DestinationStream, type Logger, pino } from 'pino';

/** The log that the server's modules write to; pino (through Fastify) in production. */
export interface Log {
  info(details: object | string, message?: string): void;
  warn(details: object | string, message?: string): void;
  error(details: object | string, message?: string): void;
}

/** A log that discards everything, for tests that are not about the log. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

// Removes secrets and personal data anywhere in a line: passwords in service URLs, email addresses, access tokens, and
// anything that looks like one of our random tokens.
const secrets: [pattern: RegExp, substitute: string][] = [
  [/\/\/[^\s/@"]+:[^\s/@"]+@/g, '//[secret]@'],
  [/[^\s"'<>@\\:;,()/=]+@[^\s"'<>@\\:;,()/=]+\.[a-z]{2,}/gi, '[address]'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[token]'],
  [/(?<![\w-])(?=[\w-]*[A-Z])[\w-]{40,}/g, '[token]'],
];

/** Returns a log line without secrets and personal data. */
export const scrub = (line: string): string =>
  secrets.reduce((text, [pattern, substitute]) => text.replace(pattern, substitute), line);

// Only selected fields of an error: a database error's `detail` and `parameters` contain personal data.
const presentError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    stack,
    ...('code' in error ? { code: error.code } : {}),
    ...(cause instanceof Error ? { cause: presentError(cause) } : {}),
  };
};

/** Creates the log of a process: JSON lines on standard output (or elsewhere), without personal data. */
export const createLog = (destination?: DestinationStream): Logger =>
  pino(
    {
      level: 'info',
      serializers: { err: presentError },
      hooks: { streamWrite: scrub },
    },
    destination ?? pino.destination({ sync: true }),
  );
