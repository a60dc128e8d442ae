/**
 * Delays each response to a browser by up to `LATE_MS` milliseconds. `npm run test:late` loads this module
 * into the servers under test. An end-to-end test that does not wait for its page then fails always, and not
 * only sometimes on a busy machine.
 */
import { type IncomingMessage, Server } from 'node:http';

const maxDelayMs = Number(process.env.LATE_MS);

/**
 * Returns a random delay in ms. It is shorter for built files than for other requests, and 0 for
 * requests that do not come from a browser.
 */
const pickRandomDelayMs = ({ headers, url }: IncomingMessage): number => {
  if (!headers['user-agent']?.startsWith('Mozilla')) return 0;
  return url?.startsWith('/assets/') ? (Math.random() * maxDelayMs) / 30 : Math.random() ** 2 * maxDelayMs;
};

const originalEmit = Server.prototype.emit;
Server.prototype.emit = function (event: string, ...args: unknown[]) {
  const pass = () => Reflect.apply(originalEmit, this, [event, ...args]);
  const delay = event === 'request' ? pickRandomDelayMs(args[0] as IncomingMessage) : 0;
  if (delay === 0) return pass();
  setTimeout(pass, delay);
  return true;
};
