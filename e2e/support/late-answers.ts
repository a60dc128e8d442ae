/**
 * Loaded into a server before it starts (`npm run test:late`): delays responses to browsers by up to `LATE_MS`
 * milliseconds. A journey that does not wait for its page fails reliably here, instead of occasionally on a busy machine.
 */
import { type IncomingMessage, Server } from 'node:http';

const latestMs = Number(process.env.LATE_MS);

/** Files are delayed less than calls; a test's own requests are not delayed. */
const delayOf = ({ headers, url }: IncomingMessage): number => {
  if (!headers['user-agent']?.startsWith('Mozilla')) return 0;
  return url?.startsWith('/assets/') ? (Math.random() * latestMs) / 30 : Math.random() ** 2 * latestMs;
};

const emit = Server.prototype.emit;
Server.prototype.emit = function (event: string, ...args: unknown[]) {
  const pass = () => Reflect.apply(emit, this, [event, ...args]);
  const delay = event === 'request' ? delayOf(args[0] as IncomingMessage) : 0;
  if (delay === 0) return pass();
  setTimeout(pass, delay);
  return true;
};
