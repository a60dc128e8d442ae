import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { createNoiseJpeg, createUploadRequest } from './faults/probes.ts';
import { copyWorkingTree } from './support/checkout.ts';
import { listWorkerPids } from './support/server-workers.ts';
import { signUp } from './support/students.ts';
import { createSystemdUnit } from './support/systemd-unit.ts';
import { test } from './support/test.ts';
import { startVisitors } from './support/visitors.ts';

const replaceInFile = (file: string, from: string | RegExp, to: string): void => {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  writeFileSync(file, changed);
};

/** How long visitors pause between their visits, in ms. */
const pauseMs = 250;
/**
 * How long visitors pause while the next release is built, in ms. It is longer than `pauseMs` to leave CPU time for
 * the build, which does not affect the running server.
 */
const pauseDuringBuildMs = 1_000;

test('promise 49: during the documented upgrade on one machine, every page and file request of every visitor succeeds', async ({
  browser,
}) => {
  test.setTimeout(600_000);
  const source = copyWorkingTree({ slim: true });
  const installation = mkdtempSync(join(tmpdir(), 'quad-installation-'));
  const makeRelease = () =>
    promisify(execFile)(process.execPath, [join(source.folder, 'tools', 'release.mjs'), installation]);
  await makeRelease();
  const firstRelease = readlinkSync(join(installation, 'current'));
  const unit = await createSystemdUnit(installation);
  const page = await browser.newPage();
  const oldTab = await browser.newPage();
  let visitors: ReturnType<typeof startVisitors> | undefined;
  try {
    await unit.start({ QUAD_WORKERS: '2' });
    const student = await signUp(unit, 'Sam Student', 'sam@usc.edu');
    await oldTab.goto(unit.url);
    const oldFailures: string[] = [];
    oldTab.on('response', (reply) => {
      if (reply.status() >= 400) oldFailures.push(reply.url());
    });

    visitors = startVisitors(unit.url, page);
    // The visitors share the processor with the build, so they pause between their visits. They do not pause
    // while server processes are being replaced.
    visitors.pauseBetweenVisits(pauseMs);
    const { failures, counts } = visitors;
    const untilAllVisited = async () => {
      const before = counts();
      await expect
        .poll(() => counts().every((count, visitor) => count > (before[visitor] ?? 0) + 1), {
          timeout: 60_000,
        })
        .toBe(true);
    };
    await untilAllVisited();

    // The next version changes a page, the lock file and the database schema.
    replaceInFile(
      join(source.folder, 'web', 'routes', 'careers.tsx'),
      /title="[^"]+"/,
      'title="Careers, second edition"',
    );
    for (const file of ['package.json', 'package-lock.json']) {
      replaceInFile(join(source.folder, file), /"version": "[^"]+"/, '"version": "99.0.0"');
    }
    writeFileSync(
      join(source.folder, 'server', 'migrations', '9999_second_edition.sql'),
      'CREATE TABLE second_edition (id int);\n',
    );
    visitors.pauseBetweenVisits(pauseDuringBuildMs);
    await makeRelease();
    visitors.pauseBetweenVisits(pauseMs);
    expect(readlinkSync(join(installation, 'current'))).not.toBe(firstRelease);
    await untilAllVisited();

    // The running server must still start new processes of its own version: an upload starts a process for
    // images, and a terminated worker is replaced with a new one.
    const photo = createUploadRequest(student.token, await createNoiseJpeg(64));
    expect((await fetch(`${unit.url}/storage/v1/object/listing-photos`, photo)).status).toBe(200);
    const [worker = 0] = listWorkerPids(unit);
    visitors.pauseBetweenVisits(0);
    process.kill(worker, 'SIGTERM');
    await expect.poll(() => listWorkerPids(unit).length, { timeout: 60_000 }).toBe(3);
    visitors.pauseBetweenVisits(pauseMs);
    expect(await (await fetch(`${unit.url}/careers`)).text()).not.toContain('second edition');
    expect(await unit.runCommand('migrate')).toContain('Migrated: 9999_second_edition');
    await untilAllVisited();

    // The server runs with two workers. Restart it with two workers, then with a single process, and then
    // again with a single process.
    for (const QUAD_WORKERS of ['2', '1', '1']) {
      visitors.pauseBetweenVisits(0);
      await unit.restart({ QUAD_WORKERS });
      visitors.pauseBetweenVisits(pauseMs);
      await untilAllVisited();
      expect(await (await fetch(`${unit.url}/careers`)).text()).toContain('second edition');
    }
    await visitors.stop();
    expect(failures).toEqual([]);

    // A tab that was opened with the first version must still be able to load scripts of that
    // version.
    await oldTab.locator('footer').getByRole('link', { name: 'Careers' }).click();
    await expect(oldTab.getByRole('heading', { level: 1 })).toBeVisible();
    const oldAssets = readdirSync(join(installation, firstRelease, 'build', 'client', 'assets'));
    const newAssets = readdirSync(join(installation, 'current', 'build', 'client', 'assets'));
    const onlyOld = oldAssets.filter((name) => !newAssets.includes(name) && !/\.(br|gz)$/.test(name));
    expect(onlyOld.length).toBeGreaterThan(0);
    for (const name of onlyOld) expect((await fetch(`${unit.url}/assets/${name}`)).status).toBe(200);
    expect(oldFailures).toEqual([]);
  } finally {
    await visitors?.stop();
    await Promise.all([page.close(), oldTab.close()]);
    await unit.close();
    rmSync(installation, { recursive: true, force: true });
    source.remove();
  }
});
