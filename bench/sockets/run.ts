import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { quantile } from '../measure.ts';
import { findFreePort } from '../spawn-server.ts';
import { type ClientProcesses, type ErrorCounts, startClientProcesses } from './client-processes.ts';
import { createPeople, type Person } from './people.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** Settings of the socket benchmark. */
export interface SocketBenchmarkPlan {
  databaseUrl: string;
  /** Folder for the server's data, which must be empty. */
  dataDir: string;
  sockets: number;
  /** Number of sockets that stay open while the delivery time of messages is measured. */
  openSockets: number;
  perSecond: number;
  /** For how many seconds each turn sends messages to each server. */
  seconds: number;
  turns: number;
  settleMs: number;
  timeoutMs: number;
}

/** The results of the socket benchmark for one server. */
export interface SocketMeasurements {
  kilobytesEach: number;
  restart: { stopMs: number; startMs: number; backMs: number };
  errors: ErrorCounts;
  delivered: number;
  lost: number;
  duplicated: number;
  p50: number;
  p99: number;
}

interface MeasuredServer {
  baseline: boolean;
  server: ServerProcess;
  clients: ClientProcesses;
  times: number[];
  lost: number;
  duplicated: number;
}

const warmUpSockets = 200;

/** Measures the memory per socket, and how long all clients take to reconnect when the server restarts. */
const measureConnections = async (
  { baseline, server, clients }: MeasuredServer,
  people: Person[],
  plan: SocketBenchmarkPlan,
) => {
  const warm = people.slice(0, Math.min(warmUpSockets, plan.openSockets));
  await clients.open(warm, server.url, baseline);
  await clients.waitUntilReady(warm.length, plan.timeoutMs);
  await delay(plan.settleMs);
  const before = server.memory();
  await clients.open(people.slice(warm.length), server.url, baseline);
  await clients.waitUntilReady(people.length, plan.timeoutMs);
  await delay(plan.settleMs);
  const kilobytesEach = (server.memory() - before) / (people.length - warm.length);

  await clients.forget();
  const begun = performance.now();
  const { stopMs, startMs } = await server.restart();
  await clients.waitUntilReady(people.length, plan.timeoutMs);
  const backMs = performance.now() - begun;
  const { errors } = await clients.look();
  return { kilobytesEach, restart: { stopMs, startMs, backMs }, errors };
};

/**
 * Runs the socket benchmark on Quad and on the baseline server; takes a few minutes with ten thousand
 * sockets.
 */
export const runSocketBenchmark = async (
  plan: SocketBenchmarkPlan,
  printLine: (line: string) => void,
): Promise<{ quad: SocketMeasurements; baseline: SocketMeasurements }> => {
  const { databaseUrl, dataDir, sockets, openSockets, perSecond, seconds, turns } = plan;
  const ports = { quad: await findFreePort(), baseline: await findFreePort() };
  const publicUrl = `http://127.0.0.1:${ports.quad}`;
  const sql = openDatabase(databaseUrl, { max: 2 });
  const closers: (() => unknown)[] = [() => sql.end()];
  const openServer = async (
    baseline: boolean,
    program: string,
    environment: Record<string, string>,
  ): Promise<MeasuredServer> => {
    const url = new URL(program, import.meta.url);
    const server = await startServer(url, baseline ? ports.baseline : ports.quad, environment);
    closers.push(server.stop);
    const clients = startClientProcesses();
    closers.push(clients.stop);
    return { baseline, server, clients, times: [], lost: 0, duplicated: 0 };
  };

  try {
    const people = await createPeople(sql, { count: sockets, dataDir, publicUrl });
    printLine(`${sockets} people and their conversations were created`);
    const baseline = await openServer(true, 'baseline-server.ts', { QUAD_DATABASE_URL: databaseUrl });
    const baselineResults = await measureConnections(baseline, people, plan);
    await baseline.clients.keep(openSockets);
    printLine('the baseline server was measured');
    const quad = await openServer(false, '../../server/main.ts', {
      ...{ QUAD_DATABASE_URL: databaseUrl, QUAD_DATA_DIR: dataDir, QUAD_PUBLIC_URL: publicUrl },
      ...{
        HOST: '127.0.0.1',
        QUAD_DEMO: 'off',
        NODE_ENV: 'production',
      },
    });
    const quadResults = await measureConnections(quad, people, plan);
    await quad.clients.keep(openSockets);
    printLine('Quad was measured; now both take turns delivering messages');
    await delay(plan.settleMs);
    for (let turn = 0; turn < turns; turn += 1) {
      for (const side of [baseline, quad]) {
        const sent = await side.clients.send({
          url: side.server.url,
          baseline: side.baseline,
          perSecond,
          seconds,
        });
        // The delivery times of the first turn, a warm-up, are discarded unless it is the only turn.
        if (turn > 0 || turns === 1) side.times.push(...sent.times);
        side.lost += sent.lost;
        side.duplicated += sent.duplicated;
      }
    }
    const final = await quad.clients.look();
    for (const [what, times] of Object.entries(final.errors))
      if (what.startsWith('sending')) quadResults.errors[what] = times;
    const summarize = (
      held: typeof quadResults,
      { times, lost, duplicated }: MeasuredServer,
    ): SocketMeasurements => {
      times.sort((a, b) => a - b);
      return {
        ...held,
        ...{ delivered: times.length, lost, duplicated },
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
      };
    };
    return { quad: summarize(quadResults, quad), baseline: summarize(baselineResults, baseline) };
  } finally {
    for (const close of closers.reverse()) await close();
  }
};
