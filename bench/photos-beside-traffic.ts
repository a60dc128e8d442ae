/**
 * Measures how much photo uploads slow down other visitors. Sends a light, steady load of requests for pages
 * and API reads, while two people repeatedly upload a photo of 12 megapixels. Periods with and without
 * uploads alternate on the same server. The latency without uploads is the baseline.
 */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { openBenchEnvironment } from './environment.ts';
import { generateListings } from './generate.ts';
import { quantile } from './measure.ts';
import { addUser, signIn } from './people.ts';
import { recordResult } from './results.ts';

const maxP99Ms = 50;
const uploaderEmails = ['una@usc.edu', 'ugo@usc.edu'];
const turnCount = 3;
const secondsPerTurn = 10;
/** Interval in ms between the starts of two requests. */
const requestIntervalMs = 25;
const trafficPaths = [
  '/',
  '/category/furniture',
  '/rest/v1/listings?limit=8',
  '/rest/v1/listings?category=furniture',
];
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** Returns a JPEG of 4000 by 3000 pixels that is as expensive to decode as a real photo: slightly blurred color noise. */
const generateLargePhoto = (): Promise<Buffer> =>
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

/** Sends requests at a steady rate without waiting for responses; returns the response times in milliseconds. */
const measureLatencies = async (origin: string, seconds: number): Promise<number[]> => {
  const times: number[] = [];
  const requests: Promise<void>[] = [];
  const timeRequest = async (path: string) => {
    const begun = performance.now();
    const response = await fetch(origin + path);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    times.push(performance.now() - begun);
  };
  const end = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < end; turn += 1) {
    requests.push(timeRequest(trafficPaths[turn % trafficPaths.length] ?? '/'));
    await delay(requestIntervalMs);
  }
  await Promise.all(requests);
  return times;
};

/**
 * Uploads the photo repeatedly until the signal `stopped` is aborted; returns the number of completed
 * uploads.
 */
const uploadRepeatedly = async (origin: string, token: string, photo: Buffer, stopped: AbortSignal) => {
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

const benchEnvironment = await openBenchEnvironment(async (sql) => {
  await generateListings(sql, 5_000);
  for (const email of uploaderEmails) await addUser(sql, email);
});
try {
  const quad = await benchEnvironment.spawnQuad({ NODE_ENV: 'development', QUAD_RATE_LIMITS: 'off' });
  const photo = await generateLargePhoto();
  const tokens = await Promise.all(uploaderEmails.map((email) => signIn(quad.origin, email)));
  await measureLatencies(quad.origin, 3);
  const [timesWithoutUploads, timesDuringUploads]: [number[], number[]] = [[], []];
  let photos = 0;
  for (let turn = 0; turn < turnCount; turn += 1) {
    timesWithoutUploads.push(...(await measureLatencies(quad.origin, secondsPerTurn)));
    const stop = new AbortController();
    const uploads = tokens.map((token) => uploadRepeatedly(quad.origin, token, photo, stop.signal));
    timesDuringUploads.push(...(await measureLatencies(quad.origin, secondsPerTurn)));
    stop.abort();
    for (const done of await Promise.all(uploads)) photos += done;
  }
  for (const times of [timesWithoutUploads, timesDuringUploads]) times.sort((a, b) => a - b);
  const [limit, ours] = [quantile(timesWithoutUploads, 0.99), quantile(timesDuringUploads, 0.99)];
  const formatMs = (value: number) => `${value.toFixed(1)} ms`;
  printLine(
    `${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}; ${timesWithoutUploads.length} requests each`,
  );
  printLine(`without photos: p50 ${formatMs(quantile(timesWithoutUploads, 0.5))}, p99 ${formatMs(limit)}`);
  printLine(
    `while ${photos} photos of ${(photo.length / 1e6).toFixed(1)} MB: p50 ${formatMs(quantile(timesDuringUploads, 0.5))}, p99 ${formatMs(ours)}`,
  );
  recordResult({
    what: "other visitors' p99 while photos of 12 megapixels are processed; the baseline is without uploads",
    ours: formatMs(ours),
    limit: formatMs(limit),
    ratio: ours / limit,
    goal: `≤ ${maxP99Ms} ms`,
    met: ours <= maxP99Ms,
  });
} finally {
  await benchEnvironment.close();
}
