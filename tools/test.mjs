/**
 * `npm test`: installs what is missing, then runs all tests. Vitest runs first (unit tests, and
 * server tests on a real PostgreSQL and Redis), then Playwright: the end-to-end tests (journeys) in
 * a real browser on all cores, and the fault tests one at a time. Arguments select files. Those
 * that begin with `e2e` run in Playwright, others in Vitest, such as `npm test -- server/listings`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  bundledNodePath,
  createProjectEnvironment,
  nodeModulesFolder,
  projectRoot,
} from './setup/project.mjs';
import { setUpCheckout } from './setup.mjs';
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs';

setUpCheckout();

const reportsFolder = join(projectRoot, 'test-results');
mkdirSync(reportsFolder, { recursive: true });
const args = process.argv.slice(2);
const wantsJourneys = args.length === 0 || args.some((it) => /^e2e\b/.test(it));
const wantsVitest = args.length === 0 || !wantsJourneys;
const runResults = [];

// Download Redis before the tests run, because a download could exceed a test's timeout. If the
// download fails, the tests that need Redis fail with a clear message.
const wantsRedis = wantsVitest && (args.length === 0 || args.some((it) => it.startsWith('server')));
const vitestEnvironment =
  wantsRedis && !prepareProgram('redis.ts') ? { REDIS_SERVER: 'no-redis-server' } : {};

// Node stores compiled modules in this folder. Tests start many servers and commands, and each starts twice
// as fast with stored modules. The fault tests do not use the folder, because they measure how long a start
// takes.
const compileCache = { NODE_COMPILE_CACHE: join(nodeModulesFolder, '.cache', 'quad-compiled') };

if (wantsVitest) {
  const report = join(reportsFolder, 'vitest.json');
  const program = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  runResults.push(
    runTests([program, 'run', ...options, ...args], { ...compileCache, ...vitestEnvironment }, report, (it) =>
      readVitestReport(it, projectRoot),
    ),
  );
}

if (wantsJourneys) {
  if (!prepareProgram('browser.ts')) process.exit(1);
  const program = join(projectRoot, 'node_modules', '@playwright', 'test', 'cli.js');
  // Run the two Playwright projects separately. A single run would execute both at the same time, or skip the
  // second project if the first one failed.
  for (const project of ['journeys', 'faults']) {
    const report = join(reportsFolder, `${project}.json`);
    const options = ['--reporter=list,json', `--project=${project}`, '--pass-with-no-tests'];
    runResults.push(
      runTests(
        [program, 'test', ...options, ...args],
        { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...(project === 'journeys' && compileCache) },
        report,
        readPlaywrightReport,
      ),
    );
  }
}

const sumCounts = (name) => runResults.reduce((total, it) => total + it[name], 0);
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(sumCounts);
// A log may be cut off at its beginning, so name the failed tests of all programs at the end.
for (const { name, message } of runResults.flatMap((it) => it.failures))
  process.stdout.write(`\nfailed: ${name}\n  ${message}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
const hasFailed = runResults.some((it) => it.status !== 0);
// A run without any test is a failure, because it means that the arguments match no test file.
process.exitCode = hasFailed || passed + skipped === 0 ? 1 : 0;

/** Runs a script of tools/ that finds or installs a program for the tests; returns whether the program is available. */
function prepareProgram(tool) {
  const { status } = spawnSync(bundledNodePath, [join(projectRoot, 'tools', tool)], {
    cwd: projectRoot,
    env: createProjectEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0;
}

/** Runs a test program and returns its counts and failed tests; a failure outside a test (set-up, crash) counts as one failed test. */
function runTests(command, environment, report, readReport) {
  rmSync(report, { force: true });
  const result = spawnSync(bundledNodePath, command, {
    cwd: projectRoot,
    env: createProjectEnvironment({ ...environment, NODE_ENV: 'test' }),
    stdio: 'inherit',
  });
  let results = { passed: 0, failed: 0, skipped: 0, failures: [] };
  try {
    results = readReport(JSON.parse(readFileSync(report, 'utf8')));
  } catch (_) {
    process.stderr.write(`${command[0]} left no report.\n`);
  }
  if (result.status !== 0 && results.failed === 0) results.failed = 1;
  return { ...results, status: result.status };
}
