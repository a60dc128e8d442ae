import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeModulesFolder, projectRoot } from './setup/project.mjs';
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs';

let folder;
beforeEach(() => {
  const parent = join(projectRoot, 'test-results');
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(join(parent, 'reports-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A passing, a skipped and a failing test. `describe` is the function that groups tests. */
const tests = `
  test('adds', () => expect(1 + 1).toBe(2));
  test.skip('is skipped', () => {});
  describe('a group', () => test('subtracts', () => expect(2 - 1).toBe(3)));
`;

const runProgram = (program, args, environment = {}) => {
  const { VITEST: _vitest, VITEST_WORKER_ID: _worker, ...inherited } = process.env;
  const env = { ...inherited, ...environment };
  const { status } = spawnSync(process.execPath, [join(nodeModulesFolder, program), ...args], {
    cwd: folder,
    env,
  });
  expect(status).toBe(1);
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
};

test('a Vitest report yields counts, failed tests and files that could not be loaded', () => {
  writeFileSync(join(folder, 'sums.test.mjs'), `import { describe, expect, test } from 'vitest'; ${tests}`);
  writeFileSync(join(folder, 'broken.test.mjs'), "throw new Error('no database');");
  const report = runProgram('vitest/vitest.mjs', [
    'run',
    `--root=${folder}`,
    '--reporter=json',
    '--outputFile=report.json',
  ]);
  const { failures, ...counts } = readVitestReport(report, folder);
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(failures).toContainEqual({
    name: 'broken.test.mjs',
    message: expect.stringContaining('no database'),
  });
  expect(failures).toContainEqual({
    name: 'sums.test.mjs › a group › subtracts',
    message: 'AssertionError: expected 1 to be 3 // Object.is equality',
  });
});

const runPlaywright = () => {
  // By default, Playwright skips files that Git ignores, and files in its output folder.
  writeFileSync(
    join(folder, 'playwright.config.mjs'),
    "export default { testDir: '.', outputDir: 'output' };",
  );
  return runProgram('@playwright/test/cli.js', ['test', '--reporter=json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, 'report.json'),
  });
};

test('a Playwright report yields counts and failed tests', () => {
  const start = "import { expect, test } from '@playwright/test'; const { describe } = test;";
  writeFileSync(join(folder, 'sums.spec.mjs'), `${start} ${tests}`);
  expect(readPlaywrightReport(runPlaywright())).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    failures: [
      {
        name: 'sums.spec.mjs:4 › subtracts',
        message: 'Error: expect(received).toBe(expected) // Object.is equality',
      },
    ],
  });
});

test('a Playwright report yields files that could not be loaded', () => {
  writeFileSync(join(folder, 'broken.spec.mjs'), "throw new Error('no browser');");
  const { failures } = readPlaywrightReport(runPlaywright());
  expect(failures).toContainEqual({ name: 'broken.spec.mjs', message: 'Error: no browser' });
});
