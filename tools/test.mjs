/**
 * `npm test`: installs what is missing, then runs what must pass before a merge. Vitest runs first (unit tests,
 * component tests, and server tests on a real PostgreSQL and Redis), then Playwright: the end-to-end tests (journeys)
 * in a real browser, and the fault tests one at a time. Arguments select files. Those that begin with `e2e` run in
 * Playwright, others in Vitest, such as `npm test -- server/listings`. With `--full` (`npm run test:full`) the long
 * tests run too, and finally the journeys with late responses (docs/testing.md).
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
import { startTestRun } from './test-run.mjs';

await setUpCheckout();

const reportsFolder = join(projectRoot, 'test-results');
mkdirSync(reportsFolder, { recursive: true });
const isFull = process.argv.includes('--full');
const args = process.argv.slice(2).filter((it) => it !== '--full');
const wantsJourneys = args.length === 0 || args.some((it) => /^e2e\b/.test(it));
const wantsVitest = args.length === 0 || !wantsJourneys;
const fullRun = isFull ? { TEST_FULL: 'on', DEAL_MODEL_RUNS: '20000' } : {};
const runResults = [];
// The long tests copy whole checkouts, for which the memory of many machines is too small.
const testRun = startTestRun({ inMemory: !isFull });

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
  const environment = { ...compileCache, ...vitestEnvironment };
  runResults.push(
    await runTests([program, 'run', ...options, ...args], environment, report, (it) =>
      readVitestReport(it, projectRoot),
    ),
  );
}

if (wantsJourneys) {
  if (!prepareProgram('browser.ts')) process.exit(1);
  const program = join(projectRoot, 'node_modules', '@playwright', 'test', 'cli.js');
  const runPlaywright = async (project, environment = {}) => {
    const report = join(reportsFolder, `${project}.json`);
    const options = ['--reporter=list,json', `--project=${project}`, '--pass-with-no-tests'];
    runResults.push(
      await runTests(
        [program, 'test', ...options, ...args],
        { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...environment },
        report,
        readPlaywrightReport,
      ),
    );
  };
  // Run the two Playwright projects separately. A single run would execute both at the same time, or skip the
  // second project if the first one failed.
  await runPlaywright('journeys', compileCache);
  if (!process.env.LATE_MS) await runPlaywright('faults');
  if (isFull) await runPlaywright('journeys', { ...compileCache, LATE_MS: '1500' });
}
await testRun.end();

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
async function runTests(command, environment, report, readReport) {
  rmSync(report, { force: true });
  const status = await testRun.run(bundledNodePath, command, {
    cwd: projectRoot,
    env: createProjectEnvironment({ ...fullRun, ...environment, NODE_ENV: 'test' }),
  });
  let results = { passed: 0, failed: 0, skipped: 0, failures: [] };
  try {
    results = readReport(JSON.parse(readFileSync(report, 'utf8')));
  } catch (_) {
    process.stderr.write(`${command[0]} left no report.\n`);
  }
  if (status !== 0 && results.failed === 0) results.failed = 1;
  return { ...results, status };
}
