/**
 * Latency for other visitors while photos of 12 megapixels are processed: a light, steady load of pages and reads,
 * measured with and without two people who upload one photo after the other. Both take turns on the same server; the
 * latency without uploads is the baseline.
 */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { openBenchEnvironment } from './environment.ts';
import { generateListings } from './generate.ts';
import { quantile } from './measure.ts';
import { addPerson, signIn } from './people.ts';
import { record } from './results.ts';

const goalMs = 50;
const uploaders = ['una@usc.edu', 'ugo@usc.edu'];
const turns = 3;
const secondsEach = 10;
/** Interval between requests. */
const paceMs = 25;
const paths = [
  '/',
  '/category/furniture',
  '/rest/v1/listings?limit=8',
  '/rest/v1/listings?category=furniture',
];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Returns a photo of 4000 by 3000 that is as expensive to decode as a real one: slightly blurred color noise. */
const drawLargePhoto = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: '#7a6a55',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .blur(1.2)
    .jpeg({ quality: 85 })
    .toBuffer();

/** Sends requests at a steady rate without waiting for responses; returns their times in milliseconds. */
const listenFor = async (origin: string, seconds: number): Promise<number[]> => {
  const times: number[] = [];
  const asked: Promise<void>[] = [];
  const ask = async (path: string) => {
    const begun = performance.now();
    const response = await fetch(origin + path);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    times.push(performance.now() - begun);
  };
  const end = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < end; turn += 1) {
    asked.push(ask(paths[turn % paths.length] ?? '/'));
    await delay(paceMs);
  }
  await Promise.all(asked);
  return times;
};

/** Uploads repeatedly until the signal; returns the number of uploads. */
const uploadUntil = async (origin: string, token: string, photo: Buffer, stopped: AbortSignal) => {
  let done = 0;
  while (!stopped.aborted) {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'large.jpg');
    const response = await fetch(`${origin}/storage/v1/object/listing-photos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    if (!response.ok) throw new Error(`An upload returned ${response.status}: ${await response.text()}`);
    done += 1;
  }
  return done;
};

const environment = await openBenchEnvironment(async (sql) => {
  await generateListings(sql, 5_000);
  for (const email of uploaders) await addPerson(sql, email);
});
try {
  const quad = await environment.spawnQuad({ NODE_ENV: 'development', RATE_LIMITS: 'off' });
  const photo = await drawLargePhoto();
  const tokens = await Promise.all(uploaders.map((email) => signIn(quad.origin, email)));
  await listenFor(quad.origin, 3);
  const [without, beside]: [number[], number[]] = [[], []];
  let photos = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    without.push(...(await listenFor(quad.origin, secondsEach)));
    const stop = new AbortController();
    const uploads = tokens.map((token) => uploadUntil(quad.origin, token, photo, stop.signal));
    beside.push(...(await listenFor(quad.origin, secondsEach)));
    stop.abort();
    for (const done of await Promise.all(uploads)) photos += done;
  }
  for (const times of [without, beside]) times.sort((a, b) => a - b);
  const [limit, ours] = [quantile(without, 0.99), quantile(beside, 0.99)];
  const inMs = (value: number) => `${value.toFixed(1)} ms`;
  say(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}; ${without.length} requests each`);
  say(`without photos: p50 ${inMs(quantile(without, 0.5))}, p99 ${inMs(limit)}`);
  say(
    `while ${photos} photos of ${(photo.length / 1e6).toFixed(1)} MB: p50 ${inMs(quantile(beside, 0.5))}, p99 ${inMs(ours)}`,
  );
  record({
    what: "other visitors' p99 while photos of 12 megapixels are processed; the baseline is without uploads",
    ours: inMs(ours),
    limit: inMs(limit),
    ratio: ours / limit,
    goal: `≤ ${goalMs} ms`,
    met: ours <= goalMs,
  });
} finally {
  await environment.close();
}
