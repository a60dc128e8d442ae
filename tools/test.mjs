/**
 * `npm test`: installs what is missing, then runs all tests: first Vitest (unit tests, and server tests on a real
 * PostgreSQL and Redis), then the journeys in a real browser on all cores, then the fault tests one at a time. Arguments
 * select files: those that begin with `e2e` run in Playwright, others in Vitest (`npm test -- server/listings`).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundledNode, projectEnvironment, root } from './setup/project.mjs';
import { setUp } from './setup.mjs';

setUp();

const reportsFolder = join(root, 'test-results');
mkdirSync(reportsFolder, { recursive: true });
const args = process.argv.slice(2);
const wantsJourneys = args.length === 0 || args.some((it) => /^e2e\b/.test(it));
const wantsVitest = args.length === 0 || !wantsJourneys;
const totals = [];

// Redis is downloaded here, outside any test's timeout. If that fails, the tests that need it fail with a clear message.
const wantsRedis = wantsVitest && (args.length === 0 || args.some((it) => it.startsWith('server')));
const environment = wantsRedis && !prepareProgram('redis.ts') ? { REDIS_SERVER: 'no-redis-server' } : {};

if (wantsVitest) {
  const report = join(reportsFolder, 'vitest.json');
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
  if (!prepareProgram('browser.ts')) process.exit(1);
  const program = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  // The projects run separately, because one run would execute both at once, or skip the second if the first failed.
  for (const project of ['journeys', 'faults']) {
    const report = join(reportsFolder, `${project}.json`);
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

const sumCounts = (name) => totals.reduce((total, it) => total + it[name], 0);
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(sumCounts);
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
const hasFailed = totals.some((it) => it.status !== 0);
// Having run no test is an error, because then the arguments match none.
process.exitCode = hasFailed || passed + skipped === 0 ? 1 : 0;

/** Runs a script of tools/ that finds or installs a program for the tests; returns whether the program is available. */
function prepareProgram(tool) {
  const { status } = spawnSync(bundledNode, [join(root, 'tools', tool)], {
    cwd: root,
    env: projectEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0;
}

/** Runs a test program and returns its counts; a failure outside a test (set-up, crash) counts as one failed test. */
function runTests(command, environment, report, countFromReport) {
  rmSync(report, { force: true });
  const result = spawnSync(bundledNode, command, {
    cwd: root,
    env: projectEnvironment({ ...environment, NODE_ENV: 'test' }),
    stdio: 'inherit',
  });
  let counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    counts = countFromReport(JSON.parse(readFileSync(report, 'utf8')));
  } catch (_) {
    process.stderr.write(`${command[0]} left no report.\n`);
  }
  if (result.status !== 0 && counts.failed === 0) counts.failed = 1;
  return { ...counts, status: result.status };
}
