import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { SMTPServer } from 'smtp-server';
import { startDemoServer } from './support/demo.ts';
import { startServerExpectingFailure } from './support/failing-start.ts';
import {
  getFreePort,
  type QuadServer,
  runAdminCommand,
  serverMainFile,
  startQuad,
} from './support/quad-server.ts';
import { test } from './support/test.ts';

const getPort = (quad: QuadServer): string => new URL(quad.url).port;

test('the mailbox page does not exist when a mail server is configured', async () => {
  const quad = await startQuad();
  try {
    expect(quad.output()).not.toContain('/dev/mail');
    expect((await fetch(`${quad.url}/dev/mail`)).status).toBe(404);
  } finally {
    await quad.stop();
  }
});

test('a port in use is reported in one line with its number and a suggestion', async () => {
  const quad = await startQuad();
  try {
    const { code, complaint } = await startServerExpectingFailure({ PORT: getPort(quad) });
    expect(code).toBe(1);
    expect(complaint).toBe(
      `Port ${getPort(quad)} is already in use. Choose another one with PORT, as in: PORT=${Number(getPort(quad)) + 1} npm start\n`,
    );
  } finally {
    await quad.stop();
  }
});

test('a server that is stopped during its first start also stops its database', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quad-e2e-'));
  const pidFile = join(dataDir, 'database', 'cluster', 'postmaster.pid');
  const env = { ...process.env, PORT: String(await getFreePort()), QUAD_DATA_DIR: dataDir, QUAD_DEMO: 'off' };
  const server = spawn(process.execPath, [serverMainFile], { env, stdio: 'ignore' });
  const exited = once(server, 'exit');
  try {
    // Creating a database takes long on a busy machine.
    await expect.poll(() => existsSync(pidFile), { intervals: [10], timeout: 60_000 }).toBe(true);
  } finally {
    server.kill('SIGTERM');
  }
  expect(await exited).toEqual([0, null]);
  expect(existsSync(pidFile)).toBe(false);
  await rm(dataDir, { recursive: true, force: true });
});

test('an invalid configuration aborts startup with a one-line error', async () => {
  const { code, complaint } = await startServerExpectingFailure({
    PORT: 'lots',
    QUAD_CAMPUS_TIMEZONE: 'Moon/Base',
  });
  expect(code).toBe(1);
  expect(complaint).toBe(
    'Wrong configuration: PORT must be a number; QUAD_CAMPUS_TIMEZONE must be an IANA time zone such as America/Los_Angeles\n',
  );
});

for (const QUAD_WORKERS of ['1', '3']) {
  test(`an unreachable Redis aborts startup with ${QUAD_WORKERS} workers; the one-line error omits the Redis password`, async () => {
    const { code, complaint } = await startServerExpectingFailure({
      PORT: '0',
      QUAD_WORKERS,
      QUAD_REDIS_URL: 'redis://:hunter2@127.0.0.1:1',
    });
    expect(code).toBe(1);
    expect(complaint).toMatch(/^Cannot use Redis at QUAD_REDIS_URL 127\.0\.0\.1:1: .*ECONNREFUSED.*\n$/);
    expect(complaint).not.toContain('hunter2');
  });
}

test('promise 50: with an https QUAD_PUBLIC_URL a start without a mail configuration is refused with one line', async () => {
  for (const QUAD_WORKERS of ['1', '2']) {
    const { code, complaint } = await startServerExpectingFailure({
      PORT: '0',
      QUAD_WORKERS,
      QUAD_PUBLIC_URL: 'https://quad.example.edu',
      QUAD_SMTP_URL: '',
    });
    expect(code).toBe(1);
    expect(complaint).toMatch(/^Wrong configuration: .*QUAD_SMTP_URL.*QUAD_MAIL=off.*\n$/);
  }
});

test('promise 50: with an https QUAD_PUBLIC_URL a demo campus is neither created nor announced, and a command removes an earlier one', async () => {
  const environment: Record<string, string> = { QUAD_DEMO: 'on' };
  const quad = await startDemoServer(environment);
  const filesOf = async () =>
    (await readdir(join(quad.dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((it) =>
      it.isFile(),
    );
  try {
    expect((await filesOf()).length).toBeGreaterThan(60);
    await quad.terminate();
    const printed = quad.output().length;
    Object.assign(environment, { QUAD_DEMO: '', QUAD_PUBLIC_URL: 'https://quad.example.edu' });
    await quad.start();
    expect(quad.output().slice(printed)).toContain('WARNING: 16 demo accounts with a public password');
    expect(quad.output().slice(printed)).not.toContain('demo2024');

    expect(await runAdminCommand(quad, 'demo', 'remove')).toMatch(
      /^Removed 16 demo accounts with \d+ listings, /,
    );
    const listings = await (await fetch(`${quad.url}/rest/v1/listings?limit=1`)).json();
    expect(listings.items).toEqual([]);
    await expect.poll(filesOf, { timeout: 60_000 }).toEqual([]);

    await quad.terminate();
    const second = quad.output().length;
    await quad.start();
    expect(quad.output().slice(second)).not.toMatch(/demo/i);
    expect(await (await fetch(`${quad.url}/rest/v1/listings?limit=1`)).json()).toMatchObject({ items: [] });
  } finally {
    await quad.stop();
  }
});

test('promise 50: with an https QUAD_PUBLIC_URL no code and no link reaches the output, even when mail is refused', async () => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      let email = '';
      stream.on('data', (chunk: Buffer) => {
        email += chunk;
      });
      stream.on('end', () => {
        const seen = email.replaceAll('=\r\n', '').match(/(?<=Subject: )\d{6}\b|https:\S+/g) ?? [];
        quoted.push(...seen);
        done(Object.assign(new Error(`looks like spam: ${seen.join(' ')}`), { responseCode: 554 }));
      });
    },
  });
  const quoted: string[] = [];
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const quad = await startQuad({
    QUAD_PUBLIC_URL: 'https://quad.example.edu',
    QUAD_SMTP_URL: `smtp://127.0.0.1:${port}`,
    QUAD_WORKERS: '2',
  });
  try {
    const post = (name: string, body: object) =>
      fetch(`${quad.url}/functions/v1/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const account = { email: 'ada@usc.edu', password: 'word-and-1234', fullName: 'Ada' };
    expect((await post('signup', account)).status).toBe(200);
    expect((await post('forgot-password', { email: account.email })).status).toBe(200);
    const codes = () => quoted.filter((text) => /^\d{6}$/.test(text));
    const links = () => quoted.filter((text) => text.includes('/reset-password/'));
    await expect.poll(() => codes().length > 0 && links().length > 0, { timeout: 20_000 }).toBe(true);
    const refusals = () => quad.output().match(/looks like spam/g)?.length ?? 0;
    await expect.poll(refusals).toBeGreaterThanOrEqual(2);
    for (const secret of [...codes(), ...links()]) expect(quad.output()).not.toContain(secret);
    expect(quad.output()).not.toContain('ada@usc.edu');
  } finally {
    await quad.stop();
    server.close();
  }
});
