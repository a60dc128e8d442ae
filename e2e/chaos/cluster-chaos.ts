import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import { waitForValue } from '../cluster/machine-process.ts';
import { type AcknowledgedContent, checkConversation, waitUntil } from './checks.ts';
import { type ClusterFault, type ClusterFaultName, clusterFaults } from './cluster-faults.ts';
import { makeDeals } from './deals.ts';
import { type SearcherResult, searchForOwnListing } from './searcher.ts';
import { createTestConversations } from './test-conversations.ts';
import { startReader, writeMessages } from './writers-and-readers.ts';

export interface ClusterChaosPlan {
  conversations: number;
  /** Minimum number of messages and deal transitions that are written during the run. */
  lines: number;
  /** Time in ms that a writer waits after each acknowledgment. */
  pauseMs: number;
  faults: readonly ClusterFaultName[];
  say(line: string): void;
}

/** The effect of a fault on the service; times are in ms. */
export interface FaultResult {
  name: ClusterFaultName;
  /** Time from the fault until another machine was promoted to the primary; undefined without a failover. */
  promotedMs?: number;
  /** Time from the fault until the first acknowledgment after the recovery. */
  firstWriteMs: number;
  /**
   * Time from the recovery until every writer had received another acknowledgment. The recovery is the
   * promotion, or without a failover the end of the fault.
   */
  everyWriterMs: number;
  /**
   * Time from the recovery until every reader had received all messages and event lines that were
   * acknowledged before the end of `everyWriterMs`.
   */
  caughtUpMs: number;
  /** Number of responses with a status of 500 or more, from the fault until every reader had caught up. */
  serverErrors: number;
  /** Time from the end of the repair until a standby had again served a search from every application host. */
  standbySearchesMs: number;
}

export interface ClusterChaosResult {
  messages: number;
  transitions: number;
  seconds: number;
  faults: FaultResult[];
  searcher: SearcherResult;
}

const recoveryTimeoutMs = 120_000;
const readingPauseMs = 100;

/** Counts the acknowledgments that each writer has received. */
const createCounter = (pauseMs: number) => {
  const counts: number[] = [];
  return {
    counts,
    /** Adds a writer; returns the function that the writer calls after each acknowledgment. */
    addWriter: (): (() => Promise<void>) => {
      const writer = counts.push(0) - 1;
      return async () => {
        counts[writer] = (counts[writer] ?? 0) + 1;
        if (pauseMs > 0) await delay(pauseMs);
      };
    },
    total: (): number => counts.reduce((sum, count) => sum + count, 0),
    /**
     * Returns whether each writer has received at least `times` more acknowledgments than in the earlier
     * counts `before`.
     */
    hasEachAdvanced: (before: readonly number[], times: number): boolean =>
      counts.every((count, writer) => count >= (before[writer] ?? 0) + times),
  };
};

/**
 * Waits until a standby has served another search from each application host. Returns the waiting time in ms.
 */
const waitForStandbySearches = async ({ apps }: Cluster): Promise<number> => {
  const begun = performance.now();
  await Promise.all(
    apps.map(async (host) => {
      const before = await host.countSearches();
      const hasGrown = async () => (await host.countSearches()).standby > before.standby || undefined;
      await waitForValue(`a search of ${host.name} on a standby`, hasGrown, recoveryTimeoutMs);
    }),
  );
  return Math.round(performance.now() - begun);
};

/**
 * Requests pages and lists until `isDone` returns true. Ignores failures, because they are counted in the
 * access log of nginx.
 */
const visitPages = async (url: string, isDone: () => boolean): Promise<void> => {
  while (!isDone()) {
    for (const path of ['/', '/rest/v1/listings', '/rest/v1/listings?q=desk', '/search?q=desk']) {
      await fetch(`${url}${path}`, { signal: AbortSignal.timeout(10_000) })
        .then((response) => response.arrayBuffer())
        .catch(() => {});
      await delay(readingPauseMs);
    }
  }
};

/**
 * Sends and receives messages and makes deals while machines of a cluster fail, one fault after the other. At the end, throws
 * unless every acknowledged message and transition is stored exactly once and in order, and every reader has received all
 * of them exactly once and in order.
 */
export const runClusterChaos = async (
  cluster: Cluster,
  { conversations, lines, pauseMs, faults, say }: ClusterChaosPlan,
): Promise<ClusterChaosResult> => {
  const begun = performance.now();
  const talks = await createTestConversations(cluster, conversations, { category: 'rentals' });
  const readers = talks.map((talk) => talk.parties.map((party) => startReader(cluster, talk, party)));
  const counter = createCounter(pauseMs);
  let areFaultsOver = false;
  const isDone = (): boolean => areFaultsOver && counter.total() >= lines;
  const writing = talks.map(async (talk, index): Promise<AcknowledgedContent> => {
    const texts = talk.parties.map((party) =>
      writeMessages(cluster, talk, party, isDone, counter.addWriter()),
    );
    const transitions = makeDeals(cluster, talk, index, isDone, counter.addWriter());
    return { texts: await Promise.all(texts), transitions: await transitions };
  });
  const visiting = visitPages(cluster.url, isDone);
  const [seller] = talks[0]?.parties ?? [];
  if (!seller) throw new Error('There is no conversation');
  const searching = searchForOwnListing(cluster, seller, isDone);

  /**
   * Waits until the readers have received as many messages and event lines as were acknowledged at the time
   * of the call.
   */
  const catchUp = async (): Promise<void> => {
    // Each conversation has three writers: its two parties send messages, and a third one makes deals.
    const expected = talks.map((_, index) =>
      counter.counts.slice(3 * index, 3 * index + 3).reduce((sum, count) => sum + count, 0),
    );
    await waitUntil(
      () =>
        readers.every((pair, index) =>
          pair.every(({ received }) => received.length >= (expected[index] ?? 0)),
        ),
      recoveryTimeoutMs,
    );
  };

  const runFault = async (name: ClusterFaultName): Promise<FaultResult> => {
    const fault: ClusterFault = clusterFaults[name];
    const { primary } = await cluster.healthy();
    const faultAt = performance.now();
    const clockAtFault = Date.now();
    const repair = await fault.cause(cluster);
    const since = (instant: number): number => Math.round(performance.now() - instant);
    // Without a failover, the fault (such as an upgrade) has ended when `cause` resolves.
    let recoveredAt = performance.now();
    if (fault.isFailover) {
      await waitForValue(
        'a new primary',
        async () => {
          const found = await cluster.findPrimary();
          return (found !== undefined && found !== primary) || undefined;
        },
        recoveryTimeoutMs,
      );
      recoveredAt = performance.now();
    }
    const before = [...counter.counts];
    const totalBefore = counter.total();
    await waitUntil(() => counter.total() > totalBefore, recoveryTimeoutMs);
    const firstWriteMs = since(faultAt);
    // Without a failover, a writer's first acknowledgment may be for a request that the server executed
    // before the fault ended, so wait for two.
    await waitUntil(() => counter.hasEachAdvanced(before, fault.isFailover ? 1 : 2), recoveryTimeoutMs);
    const everyWriterMs = since(recoveredAt);
    await catchUp();
    const caughtUpMs = since(recoveredAt);
    const serverErrors = cluster.proxy
      .listResponses()
      .filter(({ atMs, status }) => atMs >= clockAtFault && status >= 500).length;
    await repair();
    const standbySearchesMs = await waitForStandbySearches(cluster);
    return {
      name,
      ...(fault.isFailover ? { promotedMs: Math.round(recoveredAt - faultAt) } : {}),
      firstWriteMs,
      everyWriterMs,
      caughtUpMs,
      serverErrors,
      standbySearchesMs,
    };
  };

  const results: FaultResult[] = [];
  const causeFaults = async (): Promise<void> => {
    for (const [index, name] of faults.entries()) {
      await waitUntil(
        () => counter.total() >= (lines * (index + 1)) / (faults.length + 2),
        recoveryTimeoutMs,
      );
      const result = await runFault(name);
      results.push(result);
      const { name: _, ...figures } = result;
      say(`${index + 1}/${faults.length} ${name}: ${JSON.stringify(figures)}, ${counter.total()} lines`);
    }
    await cluster.healthy();
    areFaultsOver = true;
  };

  // If the server refuses a request, Promise.all ends the run immediately.
  const [acknowledged, searcher] = await Promise.all([
    Promise.all(writing),
    searching,
    causeFaults(),
    visiting,
  ]);
  await catchUp();
  for (const [index, talk] of talks.entries())
    await checkConversation(
      cluster,
      talk,
      acknowledged[index] ?? { texts: [], transitions: [] },
      readers[index] ?? [],
    );
  for (const reader of readers.flat()) reader.close();
  const transitions = acknowledged.reduce((sum, each) => sum + each.transitions.length, 0);
  return {
    messages: counter.total() - transitions,
    transitions,
    seconds: Math.round((performance.now() - begun) / 1000),
    faults: results,
    searcher,
  };
};
