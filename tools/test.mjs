/**
 * `npm test`: set-up, then all tests: first Vitest (rules, server on a real PostgreSQL and Redis), then the journeys in a
 * real browser, on all cores, then the fault tests, one at a time. Arguments select tests: those that begin with `e2e` run
 * in Playwright, others in Vitest (`npm test -- server/listings`, `npm test -- e2e/journey.spec.ts`).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundledNode, projectEnvironment, root } from './setup/project.mjs';
import { setUp } from './setup.mjs';

setUp();

const reports = join(root, 'test-results');
mkdirSync(reports, { recursive: true });
const args = process.argv.slice(2);
const wantsJourneys = args.length === 0 || args.some((it) => /^e2e\b/.test(it));
const wantsVitest = args.length === 0 || !wantsJourneys;
const totals = [];

// Downloaded here, outside any test's timeout. Without it the tests that need it fail quickly and by name.
const wantsRedis = wantsVitest && (args.length === 0 || args.some((it) => it.startsWith('server')));
const environment = wantsRedis && !prepare('redis.ts') ? { REDIS_SERVER: 'no-redis-server' } : {};

if (wantsVitest) {
  const report = join(reports, 'vitest.json');
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  totals.push(
    runTests([program, 'run', ...options, ...args], environment, report, (it) => ({
      passed: it.numPassedTests,
      failed: it.numFailedTests,
      skipped: it.numPendingTests + it.numTodoTests,
    })),
  );
}

if (wantsJourneys) {
  if (!prepare('browser.ts')) process.exit(1);
  const program = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  // Separate runs: in a single run the second project would run alongside the first, or be skipped with it.
  for (const project of ['journeys', 'faults']) {
    const report = join(reports, `${project}.json`);
    const options = ['--reporter=list,json', `--project=${project}`, '--pass-with-no-tests'];
    totals.push(
      runTests(
        [program, 'test', ...options, ...args],
        { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
        report,
        (it) => ({
          passed: it.stats.expected + it.stats.flaky,
          failed: it.stats.unexpected,
          skipped: it.stats.skipped,
        }),
      ),
    );
  }
}

const sum = (name) => totals.reduce((total, it) => total + it[name], 0);
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(sum);
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
const hasFailed = totals.some((it) => it.status !== 0);
// Arguments that match no test are an error.
process.exitCode = hasFailed || passed + skipped === 0 ? 1 : 0;

/** Prepares a program that tests need; returns whether it is available. */
function prepare(tool) {
  const { status } = spawnSync(bundledNode, [join(root, 'tools', tool)], {
    cwd: root,
    env: projectEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0;
}

/** Runs a test program; a failure outside a test (set-up, crash) counts as one failed test. */
function runTests(command, environment, report, count) {
  rmSync(report, { force: true });
  const result = spawnSync(bundledNode, command, {
    cwd: root,
    env: projectEnvironment({ ...environment, NODE_ENV: 'test' }),
    stdio: 'inherit',
  });
  let counted = { passed: 0, failed: 0, skipped: 0 };
  try {
    counted = count(JSON.parse(readFileSync(report, 'utf8')));
  } catch (_) {
    process.stderr.write(`${command[0]} left no report.\n`);
  }
  if (result.status !== 0 && counted.failed === 0) counted.failed = 1;
  return { ...counted, status: result.status };
}
