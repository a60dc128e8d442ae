import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { record } from './results.ts';

/** One of two servers that answer the same. */
export interface Runner {
  origin: string;
  /** The id of its process. */
  pid: number;
}

/** What a server did with a path: the median of the rounds. */
export interface Laps {
  perSecond: number;
  /** Processor time of the server for each answer, in microseconds; NaN where the system does not tell. */
  cost: number;
}

const connections = 32;
const rounds = 5;
const ticksPerSecond = 100;

const cpuMicros = (pid: number): number => {
  try {
    // After the name in brackets: user and system time are the 12th and 13th (proc_pid_stat(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1e6) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** What is asked of both: a GET, or a POST whose path and body are made anew for each request. */
export interface Question {
  path: string | (() => string);
  headers: Record<string, string>;
  post?: () => object;
}

const lap = async ({ origin, pid }: Runner, { path, headers, post }: Question, seconds: number) => {
  const pathNow = typeof path === 'string' ? () => path : path;
  const requests = post && [
    {
      method: 'POST' as const,
      headers: { ...headers, 'content-type': 'application/json' },
      setupRequest: (request: object) => ({ ...request, path: pathNow(), body: JSON.stringify(post()) }),
    },
  ];
  const before = cpuMicros(pid);
  const answers = await autocannon({
    url: origin + pathNow(),
    connections,
    duration: seconds,
    headers,
    ...(requests ? { requests } : {}),
  });
  const { non2xx, errors } = answers;
  if (non2xx > 0 || errors > 0) throw new Error(`${origin}${pathNow()}: ${non2xx} refused, ${errors} failed`);
  return { perSecond: answers.requests.average, cost: (cpuMicros(pid) - before) / answers.requests.total };
};

/** What two servers did in turn. The shares are medians of what each round says: its two laps met with the same machine. */
export interface Race {
  ours: Laps;
  baseline: Laps;
  /** Our answers in a second for each of the other's. */
  speed: number;
  /** The other's processor time for each of ours. */
  thrift: number;
}

/** Lets two servers answer the same question in turn, so that both suffer alike from whatever else the machine does. */
export const race = async (
  [ours, baseline]: readonly [Runner, Runner],
  question: Question,
  seconds = 2,
): Promise<Race> => {
  for (const runner of [ours, baseline]) await lap(runner, question, 2 * seconds);
  const laps: { ours: Laps; baseline: Laps }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    laps.push({
      ours: await lap(ours, question, seconds),
      baseline: await lap(baseline, question, seconds),
    });
  }
  const medianOf = (value: (round: { ours: Laps; baseline: Laps }) => number) => median(laps.map(value));
  return {
    ours: { perSecond: medianOf((r) => r.ours.perSecond), cost: medianOf((r) => r.ours.cost) },
    baseline: { perSecond: medianOf((r) => r.baseline.perSecond), cost: medianOf((r) => r.baseline.cost) },
    speed: medianOf((r) => r.ours.perSecond / r.baseline.perSecond),
    thrift: medianOf((r) => r.baseline.cost / r.ours.cost),
  };
};

/**
 * A line of the table, which is recorded too. The goal is for answers in a second; processor time tells the same on a
 * machine that others use, and where the load is made too slowly to keep a server busy.
 */
export const raceLine = (name: string, { ours, baseline, speed, thrift }: Race, goal: number): string => {
  const verdict = speed >= goal ? 'met' : 'MISSED';
  record({
    what: `${name}, answers in a second (processor time: ${(thrift * 100).toFixed(0)} %)`,
    ours: ours.perSecond.toFixed(0),
    limit: baseline.perSecond.toFixed(0),
    ratio: speed,
    goal: `≥ ${goal * 100} %`,
    met: speed >= goal,
  });
  return [
    name.padEnd(12),
    ours.perSecond.toFixed(0).padStart(9),
    baseline.perSecond.toFixed(0).padStart(9),
    `${(speed * 100).toFixed(0)} %`.padStart(8),
    ours.cost.toFixed(1).padStart(9),
    baseline.cost.toFixed(1).padStart(9),
    `${(thrift * 100).toFixed(0)} %`.padStart(8),
    `  ≥ ${goal * 100} %: ${verdict}`,
  ].join(' ');
};

export const raceHead = `${''.padEnd(12)} ours 1/s   baseline 1/s  share   ours µs   baseline µs   share`;
