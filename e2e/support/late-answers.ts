/**
 * Delays each response to a browser by up to `LATE_MS` milliseconds. Loaded into servers by `npm run test:late`, so that
 * a journey that does not wait for its page fails reliably instead of occasionally on a busy machine.
 */
import { type IncomingMessage, Server } from 'node:http';

const maxDelayMs = Number(process.env.LATE_MS);

/** Returns the delay in ms: shorter for files than for API calls, and 0 for requests that do not come from a browser. */
const drawDelayMs = ({ headers, url }: IncomingMessage): number => {
  if (!headers['user-agent']?.startsWith('Mozilla')) return 0;
  return url?.startsWith('/assets/') ? (Math.random() * maxDelayMs) / 30 : Math.random() ** 2 * maxDelayMs;
};

const originalEmit = Server.prototype.emit;
Server.prototype.emit = function (event: string, ...args: unknown[]) {
  const pass = () => Reflect.apply(originalEmit, this, [event, ...args]);
  const delay = event === 'request' ? drawDelayMs(args[0] as IncomingMessage) : 0;
  if (delay === 0) return pass();
  setTimeout(pass, delay);
  return true;
};
