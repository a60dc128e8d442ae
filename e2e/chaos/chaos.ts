import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Message, MessageList } from '#contract/conversations.ts';
import type { Quad } from '../support/quad.ts';
import { call, type Student } from '../support/students.ts';
import { openTalks, type Talk } from './people.ts';
import { type Acknowledged, type Reader, read, write } from './writers-and-readers.ts';

export interface ChaosPlan {
  conversations: number;
  /** Messages per party; each conversation has two. */
  messagesEach: number;
  serverKills: number;
  databaseKills: number;
  say(line: string): void;
}

export interface ChaosResult {
  messages: number;
  serverKills: number;
  databaseKills: number;
  seconds: number;
  /** Longest time from a server restart until every reader was served again, in milliseconds. */
  slowestReturn: number;
}

const catchUpTimeoutMs = 60_000;

const killDatabase = (quad: Quad): void => {
  const file = join(quad.dataDir, 'database', 'cluster', 'postmaster.pid');
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGKILL');
};

const until = async (holds: () => boolean, timeouts: number): Promise<number> => {
  const begun = performance.now();
  while (!holds()) {
    if (performance.now() - begun > timeouts) return Number.POSITIVE_INFINITY;
    await delay(20);
  }
  return performance.now() - begun;
};

/** Loads all messages of a conversation, page by page. */
const listAll = async (quad: Quad, talk: Talk, student: Student): Promise<Message[]> => {
  const all: Message[] = [];
  for (;;) {
    const { items, more } = await call<MessageList>(
      quad,
      `/rest/v1/conversations/${talk.conversationId}/messages?after_seq=${all.at(-1)?.seq ?? 0}&limit=500`,
      { token: student.token },
    );
    all.push(...items);
    if (!more) return all;
  }
};

const expectSame = (what: string, found: unknown, expected: unknown): void => {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right)
    throw new Error(`${what}: found ${left.slice(0, 500)}, expected ${right.slice(0, 500)}`);
};

const judge = async (
  quad: Quad,
  talk: Talk,
  acknowledged: Acknowledged[],
  readers: Reader[],
): Promise<number> => {
  const stored = await listAll(quad, talk, talk.parties[0]);
  const where = `conversation ${talk.conversationId}`;
  expectSame(
    `${where}, seqs`,
    stored.map(({ seq }) => seq),
    stored.map((_, index) => index + 1),
  );
  const said = new Map(acknowledged.flatMap((one) => [...one]));
  expectSame(`${where}, number of messages`, stored.length, said.size);
  for (const { client_id, message_text } of stored) {
    expectSame(`${where}, message ${client_id}`, message_text, said.get(client_id));
  }
  for (const { heard } of readers) {
    expectSame(
      `${where}, heard`,
      heard.map(({ id }) => id),
      stored.map(({ id }) => id),
    );
  }
  return stored.length;
};

/**
 * Lets people write and listen while the server and its PostgreSQL are killed (SIGKILL) repeatedly. Then checks that every
 * acknowledged message is stored once, and that every reader received every message once and in order. Throws with the
 * difference otherwise.
 */
export const runChaos = async (quad: Quad, ordeal: ChaosPlan): Promise<ChaosResult> => {
  const begun = performance.now();
  const talks = await openTalks(quad, ordeal.conversations);
  const readers = talks.map((talk) => talk.parties.map((party) => read(quad, talk, party)));
  const total = ordeal.conversations * 2 * ordeal.messagesEach;
  let done = 0;
  const writing = talks.map((talk) =>
    Promise.all(
      talk.parties.map((party) =>
        write(quad, talk, party, ordeal.messagesEach, () => {
          done += 1;
        }),
      ),
    ),
  );

  // Kills are spread evenly over the acknowledged messages.
  const kills = ordeal.serverKills + ordeal.databaseKills;
  let slowestReturn = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    await until(() => done >= (total * kill) / (kills + 1), 600_000);
    const ofDatabase =
      Math.floor((kill * ordeal.databaseKills) / kills) >
      Math.floor(((kill - 1) * ordeal.databaseKills) / kills);
    if (ofDatabase) killDatabase(quad);
    else {
      await quad.kill();
      await quad.start();
    }
    // More than can have been in flight when it died.
    const enough = Math.min(total, done + 4 * ordeal.conversations);
    const back = await until(() => done >= enough, catchUpTimeoutMs);
    slowestReturn = Math.max(slowestReturn, back);
    ordeal.say(
      `${kill}/${kills}: killed ${ofDatabase ? 'PostgreSQL' : 'the server'}, writing again after ${Math.round(back)} ms, ${done} of ${total} messages`,
    );
  }

  const acknowledged = await Promise.all(writing);
  await until(
    () => readers.every((pair) => pair.every(({ heard }) => heard.length >= 2 * ordeal.messagesEach)),
    catchUpTimeoutMs,
  );
  let messages = 0;
  for (const [index, talk] of talks.entries()) {
    messages += await judge(quad, talk, acknowledged[index] ?? [], readers[index] ?? []);
  }
  for (const reader of readers.flat()) reader.close();
  return {
    messages,
    serverKills: ordeal.serverKills,
    databaseKills: ordeal.databaseKills,
    seconds: Math.round((performance.now() - begun) / 1000),
    slowestReturn: Math.round(slowestReturn),
  };
};
