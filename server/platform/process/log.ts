import { type DestinationStream, type Logger, pino } from 'pino';
import { findTraceContext } from './tracing.ts';

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

/** Names the current trace in a log line, as the log data model of OpenTelemetry does. */
const addTraceContext = (): object => {
  const current = findTraceContext();
  return current ? { trace_id: current.traceId, span_id: current.spanId } : {};
};

const lineOptions = {
  formatters: { level: (level: string) => ({ level }) },
  timestamp: pino.stdTimeFunctions.isoTime,
};

/** Creates a log that writes JSON lines without personal data to `destination`. */
export const createLog = (destination: DestinationStream, level = 'info'): Logger =>
  pino(
    {
      ...lineOptions,
      level,
      serializers: { err: serializeError },
      mixin: addTraceContext,
      hooks: { streamWrite: redactLogLine },
    },
    destination,
  );

/** Escapes what could begin another line or control a terminal: details can contain what clients send. */
const escapeControls = (text: string): string => text.replace(/\p{Cc}/gu, encodeURIComponent);

/** Formats a JSON line of the log for a person. */
export const formatLogLine = (line: string): string => {
  const { time, level, msg, pid: _, hostname: __, err, ...details } = JSON.parse(line);
  const facts = Object.entries(details).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = escapeControls(`${msg ?? ''}${facts.join('')}`);
  const stack = err?.stack ?? err?.message;
  const clockTime = new Date(time).toTimeString().slice(0, 8);
  return `${clockTime} ${level.toUpperCase()} ${text}\n${stack ? `${stack}\n` : ''}`;
};

/** How the log of a process looks: JSON lines for programs, or lines for people. */
export interface LogSettings {
  logLevel: string;
  /** By default, `text` on a terminal and otherwise `json`. */
  logFormat: 'json' | 'text' | undefined;
}

const isForPeople = ({ logFormat }: LogSettings): boolean =>
  logFormat === undefined ? process.stdout.isTTY : logFormat === 'text';

const openOutput = (settings: LogSettings): DestinationStream =>
  isForPeople(settings)
    ? { write: (line) => void process.stdout.write(formatLogLine(line)) }
    : pino.destination({ sync: true });

/** Opens the log of this process on standard output. */
export const openLog = (settings: LogSettings): Logger => createLog(openOutput(settings), settings.logLevel);

/** Prints a line, or several, for the operator. */
export type LinePrinter = (text: string) => void;

/**
 * Returns a printer of lines for the operator, such as the address of the site. On a terminal they are printed as they
 * are, and otherwise each is a line of the log, all written together. They are not redacted, because they contain the
 * accounts of the demo campus and the codes of the development mailbox.
 */
export const openLinePrinter = (settings: LogSettings): LinePrinter => {
  if (isForPeople(settings)) return (text) => void process.stdout.write(`${text}\n`);
  const output = openOutput(settings);
  let lines = '';
  const write = (line: string): void => {
    lines += line;
  };
  const log = pino({ ...lineOptions, level: settings.logLevel }, { write });
  return (text) => {
    lines = '';
    for (const line of text.split('\n')) if (line.trim()) log.info(line.trim());
    if (lines) output.write(lines);
  };
};
