import { type DestinationStream, type Logger, pino } from 'pino';

/** The log that the server's modules write to; pino (through Fastify) in production. */
export interface Log {
  info(details: object | string, message?: string): void;
  warn(details: object | string, message?: string): void;
  error(details: object | string, message?: string): void;
}

/** A log that discards everything, for tests that are not about the log. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** Replaces secrets and personal data in a log line with placeholders. */
export const redactLogLine = (line: string): string =>
  line
    // Credentials in URLs of services
    .replace(/\/\/[^\s/@":]*:[^\s/@"]+@/g, '//[secret]@')
    // Email addresses
    .replace(/[^\s"'<>\\:;,()/=]+/g, (word) => (/[^@]@[^@]+\.[a-z]{2}/i.test(word) ? '[address]' : word))
    // Access tokens
    .replace(/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[token]')
    // Whatever looks like one of our random tokens
    .replace(/[\w-]{40,}/g, (word) => (/[A-Z]/.test(word) ? '[token]' : word));

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
