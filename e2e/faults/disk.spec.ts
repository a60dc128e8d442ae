import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { createTestConversations, type TestConversation } from '../chaos/test-conversations.ts';
import { startPostgres } from '../support/postgres.ts';
import { startQuad } from '../support/quad-server.ts';
import { test } from '../support/test.ts';
import {
  createNoiseJpeg,
  createPostRequest,
  createUploadRequest,
  fetchReadinessStatus,
  sendProbe,
  waitForCondition,
} from './probes.ts';

const canMountDisk = process.platform === 'linux' && process.getuid?.() === 0;

/**
 * Mounts a small in-memory file system (tmpfs); returns functions to fill, empty and unmount it.
 */
const mountDisk = (megabytes: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'quad-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    /** Writes a file that leaves only `left` bytes of the file system free. */
    fill: (left: number): void => {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    },
    free: (): void => rmSync(ballast, { force: true }),
    unmount: (): void => {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const listFilesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test.beforeEach(() => {
  // These tests fill a small file system that they mount themselves, which requires Linux and root. A run
  // that skips these tests does not verify promise 40 (docs/promises.md).
  test.skip(!canMountDisk, 'needs root on Linux, to mount a small disk');
});

test('promise 40: while the disk for files is full an upload fails and leaves no files, and works when there is space', async () => {
  // When the server starts, it copies the assets of its build to the data folder, which takes about
  // 4 of these 16 MB.
  const disk = mountDisk(16);
  const database = await startPostgres();
  const quad = await startQuad({ QUAD_DATABASE_URL: database.url, QUAD_DATA_DIR: disk.folder });
  const sql = openDatabase(database.url, { max: 1 });
  try {
    const [talk] = (await createTestConversations(quad, 1)) as [TestConversation];
    const [{ token }] = talk.parties;
    const photo = await createNoiseJpeg(300);
    const send = () =>
      sendProbe(quad, 'upload', '/storage/v1/object/listing-photos', createUploadRequest(token, photo));
    const kept = () => listFilesIn(join(disk.folder, 'files'));
    const rows = async () => (await sql`SELECT path FROM private.objects`).length;
    expect((await send()).status).toBe(200);
    const before = kept();

    // With the smallest amounts of free space the disk is full from the start; with larger ones it becomes
    // full while the photo is received, resized or stored.
    for (const kilobytes of [0, 64, 220, 400]) {
      disk.free();
      disk.fill(kilobytes * 1024);
      const { status, body } = await send();
      expect({ kilobytes, status, ...JSON.parse(body) }).toEqual({
        kilobytes,
        status: 503,
        error: 'Failed to upload image. Please try again.',
        code: 'unavailable',
      });
      expect(kept()).toEqual(before);
      expect(listFilesIn(join(disk.folder, 'uploads'))).toEqual([]);
      expect(await rows()).toBe(1);
    }
    // Requests that write no files must still work while the disk is full.
    expect((await sendProbe(quad, 'list', '/rest/v1/listings')).status).toBe(200);

    disk.free();
    expect((await send()).status).toBe(200);
    expect(await rows()).toBe(2);
  } finally {
    disk.free();
    await sql.end();
    await quad.stop();
    await database.close();
    disk.unmount();
  }
});

test('promise 40: while the disk of PostgreSQL is full writes get 503, and they work again when there is space', async () => {
  const disk = mountDisk(160);
  const database = await startPostgres(disk.folder);
  const quad = await startQuad({ QUAD_DATABASE_URL: database.url });
  try {
    const [talk] = (await createTestConversations(quad, 1)) as [TestConversation];
    const [{ token }] = talk.parties;
    const path = `/rest/v1/conversations/${talk.conversationId}/messages`;
    const say = () =>
      sendProbe(
        quad,
        'sending',
        path,
        createPostRequest({ client_id: randomUUID(), message_text: 'x'.repeat(2_000) }, token),
      );
    expect((await say()).status).toBe(200);

    disk.fill(128 * 1024);
    const answers: Awaited<ReturnType<typeof say>>[] = [];
    await waitForCondition(async () => {
      answers.push(...(await Promise.all(Array.from({ length: 20 }, say))));
      return answers.some(({ status }) => status === 503);
    }, 30_000);
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    expect(answers.filter(({ ms }) => ms > 6_000)).toEqual([]);

    disk.free();
    // PostgreSQL exits when it cannot write its write-ahead log, so the test must start it again.
    await database.start();
    await waitForCondition(async () => (await fetchReadinessStatus(quad)) === 200, 20_000);
    await waitForCondition(async () => (await say()).status === 200, 10_000);
  } finally {
    disk.free();
    await database.start();
    await quad.stop();
    await database.close();
    disk.unmount();
  }
});
