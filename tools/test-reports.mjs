/**
 * Reads the JSON reports of Vitest and Playwright. Both functions return the counts of tests, and for each failed
 * test its file, title and the first line of its error, so that `npm test` can end with them.
 */
import { stripVTControlCharacters } from 'node:util';

const createFailure = (file, titles, message) => ({
  name: [file, ...titles].join(' › '),
  message: stripVTControlCharacters(message ?? '')
    .trim()
    .split('\n')[0],
});

/** `rootFolder` is the folder that file names are relative to. */
export function readVitestReport(report, rootFolder) {
  const failures = report.testResults.flatMap((file) => {
    const path = file.name.replace(`${rootFolder}/`, '');
    const failedTests = file.assertionResults.filter((it) => it.status === 'failed');
    if (failedTests.length === 0 && file.status === 'failed') return [createFailure(path, [], file.message)];
    return failedTests.map((it) =>
      createFailure(path, [...it.ancestorTitles, it.title], it.failureMessages[0]),
    );
  });
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  };
}

export function readPlaywrightReport(report) {
  const collectSpecs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(collectSpecs)];
  const failedSpecs = report.suites.flatMap(collectSpecs).filter((it) => !it.ok);
  const specFailures = failedSpecs.map((it) => {
    const results = it.tests.flatMap((test) => test.results);
    return createFailure(`${it.file}:${it.line}`, [it.title], results.find((r) => r.error)?.error.message);
  });
  const otherFailures = report.errors.map((it) => {
    const file = it.location?.file.replace(`${report.config.rootDir}/`, '');
    return createFailure(file ?? 'Playwright', [], it.message);
  });
  return {
    passed: report.stats.expected + report.stats.flaky,
    failed: report.stats.unexpected,
    skipped: report.stats.skipped,
    failures: [...specFailures, ...otherFailures],
  };
}
