import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { conversationTopic, userTopic } from '../contract/realtime.ts';
import { openRawSocket, type RawSocket } from '../server/testing/raw-socket.ts';
import { waitWithTimeout } from '../server/testing/within.ts';
import { type Quad, runCommand, startQuad } from './support/quad.ts';
import {
  call,
  openConversation,
  postListing,
  postMessage,
  type Student,
  signUp,
} from './support/students.ts';
import { listWorkerPids, sendEightRequests } from './support/workers.ts';

let quad: Quad;
let seller: Student;
let buyer: Student;
let listing: { id: string; slug: string };

test.beforeAll(async () => {
  quad = await startQuad({ WORKERS: '2' });
  seller = await signUp(quad, 'Sally Seller', 'sally@usc.edu');
  buyer = await signUp(quad, 'Ben Buyer', 'ben@usc.edu');
  listing = await postListing(quad, seller, 'Solid oak desk');
});
test.afterAll(async () => {
  await quad?.stop();
});

const openSockets = async (topic: string, { token }: Student): Promise<RawSocket[]> => {
  const sockets: RawSocket[] = [];
  for (let count = 0; count < 4; count += 1) {
    const socket = await openRawSocket(Number(new URL(quad.url).port));
    expect(await socket.join(topic, { access_token: token })).toMatchObject({ status: 'ok' });
    sockets.push(socket);
  }
  return sockets;
};

test('the server prints once that it is ready, when all workers serve', () => {
  expect(quad.output().match(/is ready at/g)).toHaveLength(1);
  expect(listWorkerPids(quad)).toHaveLength(2);
});

test('promise 42: a message sent through one worker arrives live through each, and a killed worker is restarted', async () => {
  const talk = await openConversation(quad, buyer, listing);
  const sockets = await openSockets(conversationTopic(talk.id), buyer);
  const hearsOf = (text: string) => (socket: RawSocket) =>
    socket.waitFor(
      ([, , , event, it]) => event === 'message' && (it as { message_text: string }).message_text === text,
    );
  await postMessage(quad, seller, talk, 'Still there, both of you?');
  await Promise.all(sockets.map(hearsOf('Still there, both of you?')));

  const [victim = 0] = listWorkerPids(quad);
  const gone: RawSocket[] = [];
  for (const socket of sockets) void socket.closed.then(() => gone.push(socket));
  process.kill(victim, 'SIGKILL');
  // Half of the sockets were connected to this worker, so the messages above arrived through both workers.
  await expect.poll(() => gone.length).toBe(2);
  const left = sockets.filter((socket) => !gone.includes(socket));
  expect((await sendEightRequests(quad, '/readyz')).map(({ status }) => status)).toEqual(Array(8).fill(200));
  await postMessage(quad, seller, talk, 'One is enough');
  await Promise.all(left.map(hearsOf('One is enough')));

  await expect.poll(() => listWorkerPids(quad), { timeout: 30_000 }).toHaveLength(3);
  const again = await openSockets(conversationTopic(talk.id), buyer);
  await postMessage(quad, seller, talk, 'Both again');
  await Promise.all([...left, ...again].map(hearsOf('Both again')));
  for (const { webSocket } of [...left, ...again]) webSocket.terminate();
});

test('promise 12: a log-out ends calls and sockets in each worker', async () => {
  const leaver = await signUp(quad, 'Lea Leaver', 'lea@usc.edu');
  const sockets = await openSockets(userTopic(leaver.id), leaver);
  expect((await sendEightRequests(quad, '/rest/v1/me', leaver.token)).map(({ status }) => status)).toEqual(
    Array(8).fill(200),
  );
  const statuses = async () =>
    (await sendEightRequests(quad, '/rest/v1/me', leaver.token)).map(({ status }) => status);
  const ended = async () => {
    await fetch(`${quad.url}/auth/v1/logout?scope=global`, {
      method: 'POST',
      headers: { authorization: `Bearer ${leaver.token}` },
    });
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1008, 1008, 1008, 1008]);
    await expect.poll(statuses, { timeout: 5_000 }).toEqual(Array(8).fill(401));
  };
  await waitWithTimeout(5_000, ended());
});

test('promise 12: suspending an account from the shell takes effect in each worker, for its listings too', async () => {
  const suspect = await signUp(quad, 'Sid Suspect', 'sid@usc.edu');
  const offer = await postListing(quad, suspect, 'A ticket that is none');
  const statusesOf = async (path: string, token?: string) =>
    (await sendEightRequests(quad, path, token)).map(({ status }) => status);
  expect(await statusesOf(`/product/${offer.slug}`)).toEqual(Array(8).fill(200));
  expect(await statusesOf('/rest/v1/me', suspect.token)).toEqual(Array(8).fill(200));
  const sockets = await openSockets(userTopic(suspect.id), suspect);

  const suspended = await runCommand(quad, 'user', 'suspend', suspect.email, '--reason', 'Sells nothing');
  expect(suspended).toMatch(/suspended +\d{4}-/);
  const hasEffect = async () => {
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1008, 1008, 1008, 1008]);
    const timeout = 5_000;
    await expect
      .poll(() => statusesOf('/rest/v1/me', suspect.token), { timeout })
      .toEqual(Array(8).fill(401));
    await expect.poll(() => statusesOf(`/product/${offer.slug}`), { timeout }).toEqual(Array(8).fill(404));
  };
  await waitWithTimeout(5_000, hasEffect());
});

test('an unpublished listing disappears from the pages that each worker has cached', async () => {
  const path = `/product/${listing.slug}`;
  for (const { text } of await sendEightRequests(quad, path)) expect(text).toContain('Solid oak desk');
  await call(quad, `/rest/v1/me/listings/${listing.id}`, {
    token: seller.token,
    method: 'PATCH',
    body: { status: 'draft' },
  });
  const statuses = async () => (await sendEightRequests(quad, path)).map(({ status }) => status);
  // The timeout is much shorter than the maximum age of a page that missed the invalidation.
  await expect.poll(statuses, { timeout: 5_000 }).toEqual(Array(8).fill(404));
});

test('a worker that receives SIGTERM is replaced, and no error is logged', async () => {
  const before = listWorkerPids(quad);
  const asked = before.at(-1) ?? 0;
  process.kill(asked, 'SIGTERM');
  await expect.poll(() => listWorkerPids(quad).length, { timeout: 30_000 }).toBe(before.length + 1);
  const logged = quad
    .output()
    .split('\n')
    .filter((line) => line.includes(`"worker":${asked},`));
  const ends = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'a worker serves');
  expect(ends).toMatchObject([{ level: 30, msg: 'a worker ended on request' }]);
});

test('promise 41: SIGTERM stops all workers in time and closes their sockets with 1001', async () => {
  const sockets = await openSockets(userTopic(buyer.id), buyer);
  const workers = listWorkerPids(quad);
  expect(await waitWithTimeout(10_000, quad.terminate())).toBe(0);
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1001, 1001, 1001, 1001]);
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('promise 37: limits apply across all workers; when no worker can start any more, the server reports it and exits', async () => {
  // Slow, because workers start twice successfully and fail to start five times.
  test.slow();
  const other = await startQuad({ WORKERS: '2', RATE_LIMITS: 'on' });
  try {
    const { token } = await signUp(other, 'Dora Download', 'dora@usc.edu');
    const statuses = await sendEightRequests(other, '/rest/v1/me/data', token);
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);

    await writeFile(join(other.dataDir, 'secrets.json'), 'nothing that could be read');
    for (const pid of listWorkerPids(other)) process.kill(pid, 'SIGKILL');
    expect(await other.ended()).toBe(1);
    expect(other.output()).toMatch(/^No worker can be started: /m);
  } finally {
    await rm(join(other.dataDir, 'secrets.json'));
    await other.stop();
  }
});
