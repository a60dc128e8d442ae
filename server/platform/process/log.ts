import { type DestinationStream, type Logger, pino } from 'pino';

/** The log that the server's modules write to; pino (through Fastify) in production. */
export interface Log {
  info(details: object | string, message?: string): void;
  warn(details: object | string, message?: string): void;
  error(details: object | string, message?: string): void;
}

/** A log that discards everything, for tests that are not about the log. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

// Rules that remove secrets and personal data from a log line: credentials in service URLs, email addresses, access
// tokens, and anything that looks like one of our random tokens.
const redactionRules: [pattern: RegExp, substitute: string][] = [
  [/\/\/[^\s/@"]+:[^\s/@"]+@/g, '//[secret]@'],
  [/[^\s"'<>@\\:;,()/=]+@[^\s"'<>@\\:;,()/=]+\.[a-z]{2,}/gi, '[address]'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[token]'],
  [/(?<![\w-])(?=[\w-]*[A-Z])[\w-]{40,}/g, '[token]'],
];

/** Replaces secrets and personal data in a log line with placeholders. */
export const redactLogLine = (line: string): string =>
  redactionRules.reduce((text, [pattern, substitute]) => text.replace(pattern, substitute), line);

// Logs only selected fields of an error, because `detail` and `parameters` of a database error contain personal data.
const serializeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    stack,
    ...('code' in error ? { code: error.code } : {}),
    ...(cause instanceof Error ? { cause: serializeError(cause) } : {}),
  };
};

/**
 * Creates the log of a process. It writes JSON lines without personal data to `destination`, by default standard
 * output.
 */
export const createLog = (destination?: DestinationStream): Logger =>
  pino(
    {
      level: 'info',
      serializers: { err: serializeError },
      hooks: { streamWrite: redactLogLine },
    },
    destination ?? pino.destination({ sync: true }),
  );
