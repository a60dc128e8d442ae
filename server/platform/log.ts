/** What the server's parts report to; pino (through Fastify) in real life. */
export interface Log {
  info(details: object | string, message?: string): void;
  warn(details: object | string, message?: string): void;
  error(details: object | string, message?: string): void;
}

/** Swallows everything: for tests whose subject is not the log. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
