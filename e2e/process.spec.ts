import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { type Quad, startQuad } from './support/quad.ts';

const mainFile = fileURLToPath(new URL('../server/main.ts', import.meta.url));

/** Runs a start that is expected to fail, and answers how it ended. */
const failingStart = async (environment: Record<string, string>) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quad-fails-'));
  const child = spawn(process.execPath, [mainFile], {
    env: { ...process.env, DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk;
  });
  const [code] = await once(child, 'exit');
  await rm(dataDir, { recursive: true, force: true });
  return { code, complaint };
};

const portOf = (quad: Quad): string => new URL(quad.url).port;

test('a first start shows the demo campus and how to sign in; later starts are quick and show the same', async () => {
  const quad = await startQuad({ DEMO: 'on', SMTP_URL: '' });
  try {
    expect(quad.output()).toContain(quad.url);
    expect(quad.output()).toMatch(/Demo accounts, all with the password \S+/);
    expect(quad.output()).toContain(`${quad.url}/dev/mail`);
    const listings = await (await fetch(`${quad.url}/rest/v1/listings?limit=100`)).json();
    expect(listings.total).toBeGreaterThanOrEqual(60);
    const mailbox = await fetch(`${quad.url}/dev/mail`);
    expect(mailbox.status).toBe(200);

    await quad.kill();
    const begun = performance.now();
    await quad.start();
    expect(performance.now() - begun).toBeLessThan(3_000);
    expect(quad.output().match(/Demo accounts/g)).toHaveLength(2);
    const again = await (await fetch(`${quad.url}/rest/v1/listings?limit=100`)).json();
    expect(again).toEqual(listings);
  } finally {
    await quad.stop();
  }
});

test('with a mail server there is no mailbox page', async () => {
  const quad = await startQuad();
  try {
    expect(quad.output()).not.toContain('/dev/mail');
    expect((await fetch(`${quad.url}/dev/mail`)).status).toBe(404);
  } finally {
    await quad.stop();
  }
});

test('a busy port is reported by its name, and nothing else is touched', async () => {
  const quad = await startQuad();
  try {
    const { code, complaint } = await failingStart({ PORT: portOf(quad) });
    expect(code).toBe(1);
    expect(complaint).toBe(
      `Port ${portOf(quad)} is already in use. Choose another one with PORT, as in: PORT=${Number(portOf(quad)) + 1} npm start\n`,
    );
  } finally {
    await quad.stop();
  }
});

test('a wrong configuration ends the start with one clear line', async () => {
  const { code, complaint } = await failingStart({ PORT: 'lots', CAMPUS_TIMEZONE: 'Moon/Base' });
  expect(code).toBe(1);
  expect(complaint).toBe(
    'Wrong configuration: PORT must be a number; CAMPUS_TIMEZONE must be an IANA time zone such as America/Los_Angeles\n',
  );
});

for (const WORKERS of ['1', '3']) {
  test(`a Redis that cannot be used ends the start of ${WORKERS} with one line, without its password`, async () => {
    const { code, complaint } = await failingStart({
      PORT: '0',
      WORKERS,
      REDIS_URL: 'redis://:hunter2@127.0.0.1:1',
    });
    expect(code).toBe(1);
    expect(complaint).toMatch(/^Cannot use Redis at REDIS_URL 127\.0\.0\.1:1: .*ECONNREFUSED.*\n$/);
    expect(complaint).not.toContain('hunter2');
  });
}
