import { connect } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { getListeningPort, parseStatuses, sendRawBytes } from '#server/testing/raw-socket.ts';
import { trackResponses } from './client-errors.ts';
import { buildHttpServerOptions } from './http-server-options.ts';

/**
 * Sends `first`, and `second` as soon as some of the response has arrived. Returns everything received until the
 * connection closes.
 */
const sendInTwoParts = (port: number, first: string, second: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8');
    let received = '';
    socket.on('data', (text: string) => {
      if (received === '') socket.end(second);
      received += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.write(first);
  });

describe('promise 36: a request that was refused before its body arrived gets no second response', () => {
  let testApp: TestApp;
  let port: number;
  beforeAll(async () => {
    testApp = await startTestApp();
    await testApp.server.listen({ port: 0, host: '127.0.0.1' });
    port = getListeningPort(testApp.server.server);
  });
  afterAll(() => testApp.close());

  const badChunk = 'zz\r\n\r\n';
  test.each([
    ['of an unsupported type', '/rest/v1/forms/contact', 'Content-Type: text/plain\r\n', 415],
    ['without a session', '/functions/v1/create-listing', 'Content-Type: application/json\r\n', 401],
    ['to an unknown address', '/rest/v1/nothing', 'Content-Type: text/plain\r\n', 404],
    [
      'with an unknown expectation',
      '/rest/v1/forms/contact',
      'Content-Type: text/plain\r\nExpect: wonders\r\n',
      415,
    ],
  ])('%s, when its body is malformed', async (_which, path, headers, status) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: quad.test\r\nTransfer-Encoding: chunked\r\n${headers}\r\n5\r\nhello\r\n`;
    expect(parseStatuses(await sendInTwoParts(port, head, badChunk))).toEqual([status]);
    expect(parseStatuses(await sendRawBytes(port, head + badChunk))).toHaveLength(1);
  });
});

describe('promise 36: malformed input after a request', () => {
  let app: FastifyInstance;
  let port: number;
  beforeAll(async () => {
    app = Fastify(buildHttpServerOptions(defaultCampus));
    trackResponses(app.server);
    app.get('/complete', async () => 'all of it');
    app.get('/in-progress', (_request, reply) => {
      const body = new Readable({ read() {} });
      body.push('beginning');
      return reply.send(body);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = getListeningPort(app.server);
  });
  afterAll(() => app.close());

  test('writes no refusal into the response that is in progress', async () => {
    const received = await sendInTwoParts(
      port,
      'GET /in-progress HTTP/1.1\r\nHost: quad.test\r\n\r\n',
      'hello\r\n\r\n',
    );
    expect(received).toContain('beginning');
    expect(received).not.toContain('malformed_request');
    expect(parseStatuses(received)).toEqual([200]);
  });

  test('is refused after a complete response', async () => {
    const received = await sendInTwoParts(
      port,
      'GET /complete HTTP/1.1\r\nHost: quad.test\r\n\r\n',
      'hello\r\n\r\n',
    );
    expect(parseStatuses(received)).toEqual([200, 400]);
  });
});
