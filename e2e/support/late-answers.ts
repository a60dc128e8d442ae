/**
 * Loaded into a server before it starts (`npm run test:late`): what a browser asks for is answered up to `LATE_MS`
 * milliseconds late. A journey that is quicker than its page fails here rather than now and then on a busy machine.
 */
import { type IncomingMessage, Server } from 'node:http';

const latestMs = Number(process.env.LATE_MS);

/** Files come sooner than answers; what a test asks itself comes at once. */
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
