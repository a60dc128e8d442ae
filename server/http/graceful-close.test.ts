import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installGracefulClose } from './graceful-close.ts';

let app: FastifyInstance;
let port: number;
let releaseSlowResponse: () => void;

beforeEach(async () => {
  app = Fastify({ return503OnClosing: false });
  installGracefulClose(app);
  app.get('/', async () => 'here');
  const slow = new Promise<void>((resolve) => {
    releaseSlowResponse = resolve;
  });
  app.get('/slow', async () => {
    await slow;
    return 'at last';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.server.address() as { port: number });
});
afterEach(() => app.close());

/**
 * Opens a connection and waits until the server has accepted it. `received` resolves with all
 * received text when the connection closes.
 */
const openConnection = async (): Promise<{ socket: Socket; received: Promise<string> }> => {
  const accepted = once(app.server, 'connection');
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  const received = once(socket, 'close').then(() => text);
  await accepted;
  return { socket, received };
};
const formatGetRequest = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: quad.test\r\n\r\n`;

test('promise 49: a request on a connection accepted just before the server closes gets its response', async () => {
  const { socket, received } = await openConnection();
  const closed = app.close();
  socket.write(formatGetRequest('/'));
  expect(await received).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n.*here$/is);
  await closed;
});

test('a connection that sends nothing does not keep a closing server running', async () => {
  const { received } = await openConnection();
  await app.close();
  expect(await received).toBe('');
});

test('an idle connection is closed immediately, a busy one after its response', async () => {
  const idle = await openConnection();
  idle.socket.write(formatGetRequest('/'));
  await once(idle.socket, 'data');
  const busy = await openConnection();
  const requested = once(app.server, 'request');
  busy.socket.write(formatGetRequest('/slow'));
  await requested;
  const closed = app.close();
  expect(await idle.received).toContain('here');
  expect(busy.socket.closed).toBe(false);
  releaseSlowResponse();
  expect(await busy.received).toContain('at last');
  await closed;
});
