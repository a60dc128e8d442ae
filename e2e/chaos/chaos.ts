import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Message, MessageList } from '#contract/conversations.ts';
import type { Quad } from '../support/quad.ts';
import { call, type Student } from '../support/students.ts';
import { openTalks, type Talk } from './people.ts';
import { type Acknowledged, type Reader, startReader, writeMessages } from './writers-and-readers.ts';

export interface ChaosPlan {
  conversations: number;
  /** Number of messages that each of the two parties of a conversation sends. */
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
  /** Longest time from a restart until messages were acknowledged again, in milliseconds. */
  slowestReturn: number;
}

const catchUpTimeoutMs = 60_000;

const killDatabase = (quad: Quad): void => {
  const file = join(quad.dataDir, 'database', 'cluster', 'postmaster.pid');
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGKILL');
};

const waitUntil = async (holds: () => boolean, timeoutMs: number): Promise<number> => {
  const begun = performance.now();
  while (!holds()) {
    if (performance.now() - begun > timeoutMs) return Number.POSITIVE_INFINITY;
    await delay(20);
  }
  return performance.now() - begun;
};

/** Loads all messages of a conversation through the API, page by page. */
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

const checkConversation = async (
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
  const acknowledgedTexts = new Map(acknowledged.flatMap((one) => [...one]));
  expectSame(`${where}, number of messages`, stored.length, acknowledgedTexts.size);
  for (const { client_id, message_text } of stored) {
    expectSame(`${where}, message ${client_id}`, message_text, acknowledgedTexts.get(client_id));
  }
  for (const { received } of readers) {
    expectSame(
      `${where}, heard`,
      received.map(({ id }) => id),
      stored.map(({ id }) => id),
    );
  }
  return stored.length;
};

/**
 * Sends and receives messages while the server and its PostgreSQL are killed (SIGKILL) repeatedly. Afterwards throws
 * unless every acknowledged message is stored once, and every reader has received every message once and in order.
 */
export const runChaos = async (quad: Quad, plan: ChaosPlan): Promise<ChaosResult> => {
  const begun = performance.now();
  const talks = await openTalks(quad, plan.conversations);
  const readers = talks.map((talk) => talk.parties.map((party) => startReader(quad, talk, party)));
  const total = plan.conversations * 2 * plan.messagesEach;
  let done = 0;
  const writing = talks.map((talk) =>
    Promise.all(
      talk.parties.map((party) =>
        writeMessages(quad, talk, party, plan.messagesEach, () => {
          done += 1;
        }),
      ),
    ),
  );

  // The kills are distributed evenly over the acknowledged messages.
  const kills = plan.serverKills + plan.databaseKills;
  let slowestReturn = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    await waitUntil(() => done >= (total * kill) / (kills + 1), 600_000);
    const killsDatabase =
      Math.floor((kill * plan.databaseKills) / kills) > Math.floor(((kill - 1) * plan.databaseKills) / kills);
    if (killsDatabase) killDatabase(quad);
    else {
      await quad.kill();
      await quad.start();
    }
    // More messages than can have been in flight during the kill, so at least one was acknowledged after the restart.
    const requiredMessages = Math.min(total, done + 4 * plan.conversations);
    const back = await waitUntil(() => done >= requiredMessages, catchUpTimeoutMs);
    slowestReturn = Math.max(slowestReturn, back);
    plan.say(
      `${kill}/${kills}: killed ${killsDatabase ? 'PostgreSQL' : 'the server'}, writing again after ${Math.round(back)} ms, ${done} of ${total} messages`,
    );
  }

  const acknowledged = await Promise.all(writing);
  await waitUntil(
    () => readers.every((pair) => pair.every(({ received }) => received.length >= 2 * plan.messagesEach)),
    catchUpTimeoutMs,
  );
  let messages = 0;
  for (const [index, talk] of talks.entries()) {
    messages += await checkConversation(quad, talk, acknowledged[index] ?? [], readers[index] ?? []);
  }
  for (const reader of readers.flat()) reader.close();
  return {
    messages,
    serverKills: plan.serverKills,
    databaseKills: plan.databaseKills,
    seconds: Math.round((performance.now() - begun) / 1000),
    slowestReturn: Math.round(slowestReturn),
  };
};
