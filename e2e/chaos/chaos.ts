import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QuadServer } from '../support/quad-server.ts';
import { type AcknowledgedContent, checkConversation, waitUntil } from './checks.ts';
import { checkOfferExpired, type ExpiringOffer, makeOffers, moveDeadlinesIntoPast } from './deadlines.ts';
import { makeDeals } from './deals.ts';
import { createTestConversations } from './test-conversations.ts';
import { startReader, writeMessages } from './writers-and-readers.ts';

export interface ChaosPlan {
  conversations: number;
  /** Number of messages that each of the two parties of a conversation must send. */
  messagesEach: number;
  serverKills: number;
  databaseKills: number;
  say(line: string): void;
}

export interface ChaosResult {
  messages: number;
  /** How many of them have a photo, are replies, and were unsent. */
  photos: number;
  replies: number;
  unsent: number;
  /** Number of deal transitions that buyers and sellers made. */
  transitions: number;
  /** Number of offers whose deadline passed while the server was down. */
  deadlines: number;
  serverKills: number;
  databaseKills: number;
  seconds: number;
  /**
   * The longest interruption in ms: from the restart of the killed server, or from the kill of PostgreSQL,
   * until the server acknowledged new messages again.
   */
  slowestReturn: number;
}

const catchUpTimeoutMs = 60_000;

const killDatabase = (quad: QuadServer): void => {
  const file = join(quad.dataDir, 'database', 'cluster', 'postmaster.pid');
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGKILL');
};

/**
 * Sends and receives messages and makes deals while repeatedly killing the server and its PostgreSQL with
 * SIGKILL. Deadlines of offers pass while the server is down. At the end, throws unless every acknowledged
 * message and transition is stored exactly once and in order, every reader has received all of them exactly
 * once and in order, and every passed deadline has taken effect once. Some messages have photos, are replies or are unsent.
 */
export const runChaos = async (quad: QuadServer, plan: ChaosPlan): Promise<ChaosResult> => {
  const begun = performance.now();
  const talks = await createTestConversations(quad, plan.conversations, { category: 'rentals' });
  const readers = talks.map((talk) => talk.parties.map((party) => startReader(quad, talk, party)));
  const total = plan.conversations * 2 * plan.messagesEach;
  let done = 0;
  const writing = talks.map(async (talk, index): Promise<AcknowledgedContent> => {
    let isWriting = true;
    const texts = Promise.all(
      talk.parties.map((party) =>
        writeMessages(
          quad,
          talk,
          party,
          (sent) => sent === plan.messagesEach,
          () => {
            done += 1;
          },
        ),
      ),
    ).finally(() => {
      isWriting = false;
    });
    const transitions = makeDeals(quad, talk, index, () => !isWriting);
    return { texts: await texts, transitions: await transitions };
  });

  // Spaces the kills evenly, so that about the same number of messages is acknowledged between any two kills.
  const kills = plan.serverKills + plan.databaseKills;
  const offers: ExpiringOffer[] = [];
  let slowestReturn = 0;
  const killAll = async (): Promise<void> => {
    for (let kill = 1; kill <= kills; kill += 1) {
      await waitUntil(() => done >= (total * kill) / (kills + 1), 600_000);
      const killsDatabase =
        Math.floor((kill * plan.databaseKills) / kills) >
        Math.floor(((kill - 1) * plan.databaseKills) / kills);
      if (killsDatabase) killDatabase(quad);
      else {
        const waiting = await makeOffers(quad, talks, kill);
        await quad.kill();
        await moveDeadlinesIntoPast(quad, waiting);
        offers.push(...waiting);
        await quad.start();
      }
      // Up to two messages per conversation were being sent during the kill. Wait for four more
      // acknowledgments per conversation, so that some of these messages were certainly sent after the kill.
      const requiredMessages = Math.min(total, done + 4 * plan.conversations);
      const back = await waitUntil(() => done >= requiredMessages, catchUpTimeoutMs);
      slowestReturn = Math.max(slowestReturn, back);
      plan.say(
        `${kill}/${kills}: killed ${killsDatabase ? 'PostgreSQL' : 'the server'}, writing again after ${Math.round(back)} ms, ${done} of ${total} messages`,
      );
    }
  };

  // If the server refuses a request, Promise.all ends the run immediately.
  const [acknowledged] = await Promise.all([Promise.all(writing), killAll()]);
  const countLines = (index: number): number =>
    2 * plan.messagesEach + (acknowledged[index]?.transitions.length ?? 0);
  await waitUntil(
    () => readers.every((pair, index) => pair.every(({ received }) => received.length >= countLines(index))),
    catchUpTimeoutMs,
  );
  for (const [index, talk] of talks.entries()) {
    await checkConversation(
      quad,
      talk,
      acknowledged[index] ?? { texts: [], transitions: [] },
      readers[index] ?? [],
    );
  }
  for (const offer of offers) await checkOfferExpired(quad, offer);
  for (const reader of readers.flat()) reader.close();
  const sent = acknowledged.flatMap(({ texts }) => texts.flatMap((messages) => [...messages.values()]));
  return {
    messages: done,
    photos: sent.filter(({ photos }) => photos.length > 0).length,
    replies: sent.filter(({ replyTo }) => replyTo !== undefined).length,
    unsent: sent.filter(({ isUnsent }) => isUnsent).length,
    transitions: acknowledged.reduce((sum, { transitions }) => sum + transitions.length, 0),
    deadlines: offers.length,
    serverKills: plan.serverKills,
    databaseKills: plan.databaseKills,
    seconds: Math.round((performance.now() - begun) / 1000),
    slowestReturn: Math.round(slowestReturn),
  };
};
