import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { toConversationTopic, toUserTopic } from '../contract/realtime.ts';
import { openRawSocket, type RawSocket } from '../server/testing/raw-socket.ts';
import { waitWithTimeout } from '../server/testing/wait-with-timeout.ts';
import { type QuadServer, runAdminCommand, startQuad } from './support/quad-server.ts';
import { listWorkerPids, sendRequestsToAllWorkers } from './support/server-workers.ts';
import {
  callApi,
  openConversation,
  postConversationMessage,
  postListing,
  type Student,
  signUp,
} from './support/students.ts';
import { test } from './support/test.ts';

let quadServer: QuadServer;
let seller: Student;
let buyer: Student;
let listing: { id: string; slug: string };

test.beforeAll(async () => {
  quadServer = await startQuad({ QUAD_WORKERS: '2' });
  seller = await signUp(quadServer, 'Sally Seller', 'sally@usc.edu');
  buyer = await signUp(quadServer, 'Ben Buyer', 'ben@usc.edu');
  listing = await postListing(quadServer, seller, 'Solid oak desk');
});
test.afterAll(async () => {
  await quadServer?.stop();
});

const openSockets = async (topic: string, { token }: Student): Promise<RawSocket[]> => {
  const sockets: RawSocket[] = [];
  for (let count = 0; count < 4; count += 1) {
    const socket = await openRawSocket(Number(new URL(quadServer.url).port));
    expect(await socket.join(topic, { access_token: token })).toMatchObject({ status: 'ok' });
    sockets.push(socket);
  }
  return sockets;
};

test('the server reports once that it is ready, after all workers have started', () => {
  expect(quadServer.output().match(/is ready at/g)).toHaveLength(1);
  expect(listWorkerPids(quadServer)).toHaveLength(2);
});

test('promise 42: a message sent through one worker arrives live through each, and a killed worker is restarted', async () => {
  const talk = await openConversation(quadServer, buyer, listing);
  const sockets = await openSockets(toConversationTopic(talk.id), buyer);
  const hearsOf = (text: string) => (socket: RawSocket) =>
    socket.waitFor(
      ([, , , event, it]) => event === 'message' && (it as { message_text: string }).message_text === text,
    );
  await postConversationMessage(quadServer, seller, talk, 'Still there, both of you?');
  await Promise.all(sockets.map(hearsOf('Still there, both of you?')));

  const [victim = 0] = listWorkerPids(quadServer);
  const gone: RawSocket[] = [];
  for (const socket of sockets) void socket.closed.then(() => gone.push(socket));
  process.kill(victim, 'SIGKILL');
  // Two of the four sockets were connected to the killed worker and close. The message above
  // reached all four sockets, so both workers delivered it.
  await expect.poll(() => gone.length).toBe(2);
  const left = sockets.filter((socket) => !gone.includes(socket));
  expect((await sendRequestsToAllWorkers(quadServer, '/readyz')).map(({ status }) => status)).toEqual(
    Array(8).fill(200),
  );
  await postConversationMessage(quadServer, seller, talk, 'One is enough');
  await Promise.all(left.map(hearsOf('One is enough')));

  await expect.poll(() => listWorkerPids(quadServer), { timeout: 30_000 }).toHaveLength(3);
  const again = await openSockets(toConversationTopic(talk.id), buyer);
  await postConversationMessage(quadServer, seller, talk, 'Both again');
  await Promise.all([...left, ...again].map(hearsOf('Both again')));
  for (const { webSocket } of [...left, ...again]) webSocket.terminate();
});

test('promise 12: logging out everywhere closes the sockets and invalidates the token in each worker', async () => {
  const leaver = await signUp(quadServer, 'Lea Leaver', 'lea@usc.edu');
  const sockets = await openSockets(toUserTopic(leaver.id), leaver);
  expect(
    (await sendRequestsToAllWorkers(quadServer, '/rest/v1/me', leaver.token)).map(({ status }) => status),
  ).toEqual(Array(8).fill(200));
  const statuses = async () =>
    (await sendRequestsToAllWorkers(quadServer, '/rest/v1/me', leaver.token)).map(({ status }) => status);
  const ended = async () => {
    await fetch(`${quadServer.url}/auth/v1/logout?scope=global`, {
      method: 'POST',
      headers: { authorization: `Bearer ${leaver.token}` },
    });
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1008, 1008, 1008, 1008]);
    await expect.poll(statuses, { timeout: 5_000 }).toEqual(Array(8).fill(401));
  };
  await waitWithTimeout(5_000, ended());
});

test('promise 12: suspending an account from the shell takes effect in each worker, for its listings too', async () => {
  const suspect = await signUp(quadServer, 'Sid Suspect', 'sid@usc.edu');
  const offer = await postListing(quadServer, suspect, 'A ticket that is none');
  const statusesOf = async (path: string, token?: string) =>
    (await sendRequestsToAllWorkers(quadServer, path, token)).map(({ status }) => status);
  expect(await statusesOf(`/product/${offer.slug}`)).toEqual(Array(8).fill(200));
  expect(await statusesOf('/rest/v1/me', suspect.token)).toEqual(Array(8).fill(200));
  const sockets = await openSockets(toUserTopic(suspect.id), suspect);

  const suspended = await runAdminCommand(
    quadServer,
    'user',
    'suspend',
    suspect.email,
    '--reason',
    'Sells nothing',
  );
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

test('promise 68: a sold listing is gone from lists, searches and suggestions of each worker, and its page says so', async () => {
  const title = 'Cobalt teapot with a chipped lid';
  const { id, slug } = await postListing(quadServer, seller, title);
  const lists = [
    '/browse',
    '/category/furniture',
    '/search?q=cobalt',
    '/rest/v1/listings?q=cobalt',
    '/rest/v1/listings/suggestions?q=cobalt',
    '/rest/v1/listings/similar-matches?q=teapots',
    `/listing/${listing.slug}`,
  ];
  const listPlaces = async (): Promise<string[]> => {
    const replies = await Promise.all(lists.map((path) => sendRequestsToAllWorkers(quadServer, path)));
    return lists.filter((_, index) => replies[index]?.some(({ text }) => text.includes(title)));
  };
  const readPage = async () =>
    (await sendRequestsToAllWorkers(quadServer, `/listing/${slug}`)).map(({ text }) => text);
  expect(await listPlaces()).toEqual(lists);
  for (const text of await readPage()) expect(text).toContain('mailto:');
  await callApi(quadServer, `/rest/v1/me/listings/${id}/sold`, { token: seller.token, body: {} });
  // This timeout is shorter than the lifetime of a cached page, so a page that missed the invalidation would
  // fail the test.
  await expect.poll(listPlaces, { timeout: 5_000 }).toEqual([]);
  for (const text of await readPage()) {
    expect(text).toContain('This item is no longer available.');
    expect(text).not.toContain('mailto:');
    expect(text).toContain('name="robots" content="noindex');
  }
});

test('an unpublished listing disappears from the pages that each worker has cached', async () => {
  const path = `/product/${listing.slug}`;
  for (const { text } of await sendRequestsToAllWorkers(quadServer, path))
    expect(text).toContain('Solid oak desk');
  await callApi(quadServer, `/rest/v1/me/listings/${listing.id}`, {
    token: seller.token,
    method: 'PATCH',
    body: { status: 'draft' },
  });
  const statuses = async () => (await sendRequestsToAllWorkers(quadServer, path)).map(({ status }) => status);
  // This timeout is shorter than the lifetime of a cached page, so a page that missed the invalidation would
  // fail the test.
  await expect.poll(statuses, { timeout: 5_000 }).toEqual(Array(8).fill(404));
});

test('a worker that receives SIGTERM is replaced, and no error is logged', async () => {
  const before = listWorkerPids(quadServer);
  const asked = before.at(-1) ?? 0;
  process.kill(asked, 'SIGTERM');
  await expect.poll(() => listWorkerPids(quadServer).length, { timeout: 30_000 }).toBe(before.length + 1);
  const logged = quadServer
    .output()
    .split('\n')
    .filter((line) => line.includes(`"worker":${asked},`));
  const ends = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'a worker serves');
  expect(ends).toMatchObject([{ level: 'info', msg: 'a worker ended on request' }]);
});

test('promise 41: SIGTERM stops all workers in time and closes their sockets with 1001', async () => {
  const sockets = await openSockets(toUserTopic(buyer.id), buyer);
  const workers = listWorkerPids(quadServer);
  expect(await waitWithTimeout(10_000, quadServer.terminate())).toBe(0);
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1001, 1001, 1001, 1001]);
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('promise 37: limits apply across all workers; when no worker can start any more, the server reports it and exits', async () => {
  // This test is slow, because workers start twice successfully and fail to start five times.
  test.slow();
  const other = await startQuad({ QUAD_WORKERS: '2', QUAD_RATE_LIMITS: 'on' });
  try {
    const { token } = await signUp(other, 'Dora Download', 'dora@usc.edu');
    const statuses = await sendRequestsToAllWorkers(other, '/rest/v1/me/data', token);
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
