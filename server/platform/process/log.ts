import { type DestinationStream, type Logger, pino } from 'pino';

/** What the server's parts report to; pino (through Fastify) in real life. */
export interface Log {
  info(details: object | string, message?: string): void;
  warn(details: object | string, message?: string): void;
  error(details: object | string, message?: string): void;
}

/** Swallows everything: for tests whose subject is not the log. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

// What identifies people or opens doors, wherever in a line it stands: passwords in addresses of services, e-mail
// addresses, access tokens, and whatever looks like one of our random tokens.
const secrets: [pattern: RegExp, substitute: string][] = [
  [/\/\/[^\s/@"]+:[^\s/@"]+@/g, '//[secret]@'],
  [/[^\s"'<>@\\:;,()/=]+@[^\s"'<>@\\:;,()/=]+\.[a-z]{2,}/gi, '[address]'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[token]'],
  [/(?<![\w-])(?=[\w-]*[A-Z])[\w-]{40,}/g, '[token]'],
];

/** A line of the log without what must not be in it. */
export const scrub = (line: string): string =>
  secrets.reduce((text, [pattern, substitute]) => text.replace(pattern, substitute), line);

// Of an error only what we chose: a database's `detail` and `parameters` are people's rows.
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

/** The log of a process: JSON lines on standard output (or elsewhere), without personal data. */
export const createLog = (destination?: DestinationStream): Logger =>
  pino(
    {
      level: 'info',
      serializers: { err: presentError },
      hooks: { streamWrite: scrub },
    },
    destination ?? pino.destination({ sync: true }),
  );
