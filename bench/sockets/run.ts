import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { quantile } from '../measure.ts';
import { freePort } from '../spawned.ts';
import { type Crowd, type Happened, startCrowd } from './crowd.ts';
import { makePeople, type Person } from './people.ts';
import { type ServerProcess, startServer } from './server-process.ts';

export interface Plan {
  databaseUrl: string;
  /** An empty folder for what the server keeps. */
  dataDir: string;
  sockets: number;
  /** How many stay open while latency is measured. */
  kept: number;
  perSecond: number;
  /** Seconds of sending at each server at a time, and how often they take turns. */
  seconds: number;
  turns: number;
  settleMs: number;
  timeoutMs: number;
}

/** What was seen at one server. */
export interface Seen {
  kilobytesEach: number;
  restart: { stopMs: number; startMs: number; backMs: number };
  happened: Happened;
  delivered: number;
  lost: number;
  doubled: number;
  p50: number;
  p99: number;
}

interface Side {
  baseline: boolean;
  server: ServerProcess;
  crowd: Crowd;
  times: number[];
  lost: number;
  doubled: number;
}

const warmingUp = 200;

/** The memory of each of so many sockets, and how they come back when the server is restarted. */
const hold = async ({ baseline, server, crowd }: Side, people: Person[], plan: Plan) => {
  const warm = people.slice(0, Math.min(warmingUp, plan.kept));
  await crowd.open(warm, server.url, baseline);
  await crowd.allReady(warm.length, plan.timeoutMs);
  await delay(plan.settleMs);
  const before = server.memory();
  await crowd.open(people.slice(warm.length), server.url, baseline);
  await crowd.allReady(people.length, plan.timeoutMs);
  await delay(plan.settleMs);
  const kilobytesEach = (server.memory() - before) / (people.length - warm.length);

  await crowd.forget();
  const begun = performance.now();
  const { stopMs, startMs } = await server.restart();
  await crowd.allReady(people.length, plan.timeoutMs);
  const backMs = performance.now() - begun;
  const { happened } = await crowd.look();
  return { kilobytesEach, restart: { stopMs, startMs, backMs }, happened };
};

/** Runs the plan at Quad and, beside it, at a bare server; takes a few minutes at full size. */
export const runSockets = async (
  plan: Plan,
  say: (line: string) => void,
): Promise<{ quad: Seen; baseline: Seen }> => {
  const { databaseUrl, dataDir, sockets, kept, perSecond, seconds, turns } = plan;
  const ports = { quad: await freePort(), baseline: await freePort() };
  const publicUrl = `http://127.0.0.1:${ports.quad}`;
  const sql = openDatabase(databaseUrl, { max: 2 });
  const closers: (() => unknown)[] = [() => sql.end()];
  const open = async (
    baseline: boolean,
    program: string,
    environment: Record<string, string>,
  ): Promise<Side> => {
    const url = new URL(program, import.meta.url);
    const server = await startServer(url, baseline ? ports.baseline : ports.quad, environment);
    closers.push(server.stop);
    const crowd = startCrowd();
    closers.push(crowd.stop);
    return { baseline, server, crowd, times: [], lost: 0, doubled: 0 };
  };

  try {
    const people = await makePeople(sql, { count: sockets, dataDir, publicUrl });
    say(`${sockets} people and their conversations are made`);
    const baseline = await open(true, 'baseline-server.ts', { DATABASE_URL: databaseUrl });
    const bareHeld = await hold(baseline, people, plan);
    await baseline.crowd.keep(kept);
    say('the bare server is measured');
    const quad = await open(false, '../../server/main.ts', {
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PUBLIC_URL: publicUrl },
      ...{
        HOST: '127.0.0.1',
        DEMO: 'off',
        NODE_ENV: 'production',
      },
    });
    const quadHeld = await hold(quad, people, plan);
    await quad.crowd.keep(kept);
    say('Quad is measured; now they take turns at delivering');
    await delay(plan.settleMs);
    for (let turn = 0; turn < turns; turn += 1) {
      for (const side of [baseline, quad]) {
        const sent = await side.crowd.send({
          url: side.server.url,
          baseline: side.baseline,
          perSecond,
          seconds,
        });
        // The first turn warms both up.
        if (turn > 0 || turns === 1) side.times.push(...sent.times);
        side.lost += sent.lost;
        side.doubled += sent.doubled;
      }
    }
    const told = await quad.crowd.look();
    for (const [what, times] of Object.entries(told.happened))
      if (what.startsWith('sending')) quadHeld.happened[what] = times;
    const seen = (held: typeof quadHeld, { times, lost, doubled }: Side): Seen => {
      times.sort((a, b) => a - b);
      return {
        ...held,
        ...{ delivered: times.length, lost, doubled },
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
      };
    };
    return { quad: seen(quadHeld, quad), baseline: seen(bareHeld, baseline) };
  } finally {
    for (const close of closers.reverse()) await close();
  }
};
