import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCalls } from '#contract/all-calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { jobApplicationPath } from '#contract/forms.ts';
import { noRateLimits } from '#server/platform/no-rate-limits.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { buildMultipartBody, multipartContentType } from '#server/testing/photos.ts';
import { getListeningPort, parseStatuses, sendRawBytes } from '#server/testing/raw-socket.ts';
import { buildHttpServerOptions } from './http-server-options.ts';
import { installLingeringClose } from './lingering-close.ts';

const mebibyte = 1024 * 1024;

interface StreamedRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body: Buffer;
  isChunked?: boolean;
}

/**
 * Sends a request as browsers do, which read the response only after they have sent the whole body. Returns everything
 * received until both sides have closed the connection; rejects when it is reset.
 */
const sendWholeBody = (port: number, request: StreamedRequest): Promise<string> => {
  const { method = 'POST', path, headers = {}, body, isChunked = false } = request;
  const framing = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(body.length) };
  // The whole body may arrive before the response, which then keeps the connection open unless the client closes it.
  const lines = Object.entries({ host: 'quad.test', connection: 'close', ...headers, ...framing }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [`${method} ${path} HTTP/1.1`, ...lines, '\r\n'].join('\r\n');
  const content = isChunked
    ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
    : body;
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }).setEncoding('utf8');
    let received = '';
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    socket.write(head);
    socket.write(content, () => {
      socket.on('data', (text: string) => {
        received += text;
      });
    });
  });
};

describe('promise 36: a client that sends its whole body first receives the complete refusal', () => {
  let testApp: TestApp;
  let person: Person;
  let port: number;
  let isLimited = false;
  beforeAll(async () => {
    const consume = async () => {
      if (isLimited) throw createProblem('rate_limited', { retryAfter: 60 });
    };
    testApp = await startTestApp({ replace: { limits: { ...noRateLimits, consume } } });
    person = await testApp.signIn();
    await testApp.server.listen({ port: 0, host: '127.0.0.1' });
    port = getListeningPort(testApp.server.server);
  });
  afterAll(() => testApp.close());

  const getRefusal = async (request: StreamedRequest) => {
    const response = await sendWholeBody(port, request);
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head).toMatch(/^connection: close$/im);
    return [...parseStatuses(response), JSON.parse(body).code];
  };

  const signedInRefusals = {
    anyone: [413, 'too_large'],
    either: [413, 'too_large'],
    user: [413, 'too_large'],
    moderator: [403, 'role_required'],
    administrator: [403, 'role_required'],
  };
  const callsWithBody = Object.entries(allCalls).filter(([, { method }]) => method !== 'GET');
  test.each(callsWithBody)('of the call %s', async (_name, { method, path, access }) => {
    const request = {
      method,
      path: path.replace(/\{\w+\}/g, crypto.randomUUID()),
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(mebibyte),
    };
    const takesVisitors = access === 'anyone' || access === 'either';
    expect(await getRefusal(request)).toEqual(
      takesVisitors ? [413, 'too_large'] : [401, 'not_authenticated'],
    );
    const headers = { ...request.headers, ...person.headers };
    expect(await getRefusal({ ...request, headers })).toEqual(signedInRefusals[access]);
  });

  test.each([
    ['POST', '/auth/v1/token?grant_type=password', 'application/json', [413, 'too_large']],
    ['PUT', '/auth/v1/user', 'application/json', [413, 'too_large']],
    ['POST', '/rest/v1/forms/contact', 'text/plain', [415, 'unsupported_media_type']],
    ['POST', '/rest/v1/nothing', 'text/plain', [404, 'not_found']],
  ])('of %s %s with a body of the type %s', async (method, path, type, refusal) => {
    const headers = { 'content-type': type };
    expect(await getRefusal({ method, path, headers, body: Buffer.alloc(9 * mebibyte) })).toEqual(refusal);
  });

  const photoPath = '/storage/v1/object/listing-photos';
  const buildUpload = (path: string, mebibytes: number, headers: Record<string, string>) => ({
    path,
    headers: { 'content-type': multipartContentType, ...headers },
    body: buildMultipartBody({ bytes: Buffer.alloc(mebibytes * mebibyte, 0xff) }),
  });

  test('of an upload', async () => {
    const { headers } = person;
    const ofOtherType = { ...headers, 'content-type': 'text/plain' };
    expect(await getRefusal(buildUpload(photoPath, 9, {}))).toEqual([401, 'not_authenticated']);
    expect(await getRefusal(buildUpload('/storage/v1/object/secrets', 9, headers))).toEqual([
      404,
      'bucket_not_found',
    ]);
    expect(await getRefusal(buildUpload(photoPath, 25, headers))).toEqual([413, 'photo_too_large']);
    expect(await getRefusal({ ...buildUpload(photoPath, 12, headers), isChunked: true })).toEqual([
      413,
      'photo_too_large',
    ]);
    expect(await getRefusal(buildUpload(photoPath, 9, ofOtherType))).toEqual([415, 'unsupported_media_type']);
  });

  test('of an application', async () => {
    expect(await getRefusal(buildUpload(jobApplicationPath, 9, {}))).toEqual([413, 'resume_too_large']);
    expect(await getRefusal(buildUpload(jobApplicationPath, 9, { 'content-type': 'text/plain' }))).toEqual([
      415,
      'unsupported_media_type',
    ]);
  });

  test('when a rate limit is exceeded', async () => {
    isLimited = true;
    try {
      for (const path of [photoPath, jobApplicationPath]) {
        expect(await getRefusal(buildUpload(path, 9, person.headers))).toEqual([429, 'rate_limited']);
      }
    } finally {
      isLimited = false;
    }
  });
});

describe('promise 36: a refused body cannot occupy a connection', () => {
  const head = 'POST / HTTP/1.1\r\nHost: quad.test\r\nContent-Type: text/plain\r\n';

  /**
   * Starts a server that refuses every body before it arrives. `accepted` resolves with the server's side of the first
   * connection.
   */
  const startRefusingServer = async (
    { bytes = mebibyte, idleMs = 60_000 },
    times = { headers: 5_000, request: 60_000, check: 20 },
  ) => {
    const app = Fastify(buildHttpServerOptions(defaultCampus, times));
    installLingeringClose(app, { bytes, idleMs });
    app.removeAllContentTypeParsers();
    app.post('/', async () => 'taken');
    const accepted = once(app.server, 'connection') as Promise<[Socket]>;
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { app, port: getListeningPort(app.server), accepted };
  };

  test('that never ends: it is read up to a limit', async () => {
    const { app, port, accepted } = await startRefusingServer({ bytes: mebibyte });
    const endless = Buffer.concat([
      Buffer.from(`${head}Content-Length: ${1024 * mebibyte}\r\n\r\n`),
      Buffer.alloc(16 * mebibyte),
    ]);
    expect(parseStatuses(await sendRawBytes(port, endless))).toEqual([415]);
    const [connection] = await accepted;
    expect(connection.bytesRead).toBeLessThan(2 * mebibyte);
    await app.close();
  });

  test.each([
    ['the client sends nothing for too long', { idleMs: 20 }, undefined],
    ['the request takes too long', {}, { headers: 500, request: 500, check: 20 }],
  ])('that stops arriving: the connection is closed when %s', async (_when, limits, times) => {
    const { app, port, accepted } = await startRefusingServer(limits, times);
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.write(`${head}Content-Length: 9\r\n\r\na`);
    const [connection] = await accepted;
    const closed = new Promise((done) => connection.once('close', done));
    let received = '';
    client.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    await Promise.all([closed, once(client, 'end')]);
    client.destroy();
    expect(parseStatuses(received)).toEqual([415]);
    await app.close();
  });
});
