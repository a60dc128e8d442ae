import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import { waitFor } from '../cluster/machine-process.ts';
import { type Acknowledged, checkConversation, waitUntil } from './checks.ts';
import { type ClusterFault, type ClusterFaultName, clusterFaults } from './cluster-faults.ts';
import { makeDeals } from './deals.ts';
import { createTestConversations } from './people.ts';
import { type SearcherResult, searchForOwnListing } from './searcher.ts';
import { startReader, writeMessages } from './writers-and-readers.ts';

export interface ClusterChaosPlan {
  conversations: number;
  /** Number of messages and transitions of deals that are written at least. */
  lines: number;
  /** How long a writer waits after each acknowledgment, in ms. */
  pauseMs: number;
  faults: readonly ClusterFaultName[];
  say(line: string): void;
}

/** What a fault did to the service, in ms. */
export interface FaultResult {
  name: ClusterFaultName;
  /** From the fault to the promotion of another machine; undefined when there is none. */
  promotedMs?: number;
  /** From the fault to the first acknowledgment after the promotion. */
  firstWriteMs: number;
  /** From the recovery, which is the promotion or otherwise the end of the fault's cause, until every writer was acknowledged again. */
  everyWriterMs: number;
  /** From the recovery until every reader had received everything that was acknowledged by then. */
  caughtUpMs: number;
  /** Number of responses from the fault on until everybody had caught up whose status was 500 or more. */
  serverErrors: number;
  /** From the end of the repair until standbys served searches of every application host. */
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

/** Keeps counts of what is acknowledged to each writer. */
const createCounter = (pauseMs: number) => {
  const counts: number[] = [];
  return {
    counts,
    /** Returns the function that a writer calls after each acknowledgment. */
    addWriter: (): (() => Promise<void>) => {
      const writer = counts.push(0) - 1;
      return async () => {
        counts[writer] = (counts[writer] ?? 0) + 1;
        if (pauseMs > 0) await delay(pauseMs);
      };
    },
    total: (): number => counts.reduce((sum, count) => sum + count, 0),
    /** Returns whether each writer has been acknowledged `times` times since `before`. */
    hasEachAdvanced: (before: readonly number[], times: number): boolean =>
      counts.every((count, writer) => count >= (before[writer] ?? 0) + times),
  };
};

/** Waits until a standby has served a further search of each application host; returns how many ms it took. */
const waitForStandbySearches = async ({ apps }: Cluster): Promise<number> => {
  const begun = performance.now();
  await Promise.all(
    apps.map(async (host) => {
      const before = await host.countSearches();
      const hasGrown = async () => (await host.countSearches()).standby > before.standby || undefined;
      await waitFor(`a search of ${host.name} on a standby`, hasGrown, recoveryTimeoutMs);
    }),
  );
  return Math.round(performance.now() - begun);
};

/** Opens pages and lists until `isDone` returns true; failures show in the log of nginx. */
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
  const writing = talks.map(async (talk, index): Promise<Acknowledged> => {
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

  /** Resolves when the readers have received as many lines as were acknowledged when it was called. */
  const catchUp = async (): Promise<void> => {
    // Each conversation has three writers: its parties, and the deals between them.
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
    // A planned fault, such as an upgrade, is over by now.
    let recoveredAt = performance.now();
    if (fault.isFailover) {
      await waitFor(
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
    // After a fault without a failover, the first acknowledgment may belong to a request that had been executed before.
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

  // A refused request ends the run at once.
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
