/**
 * Checks the production dependencies: their licenses, from the lock file, and known vulnerabilities, from the configured
 * registry. When the registry does not respond, the check prints a note and passes, so that it also works offline.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createProjectEnvironment, projectRoot } from './setup/project.mjs';

/**
 * Allowed licenses. In addition to attribution, they require at most that users can replace the library
 * (LGPL), or that changes to the library's own files are published (MPL).
 */
const allowedLicenses = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Public Domain',
  'Unlicense',
]);
const auditTimeoutMs = 25_000;
const failingSeverities = ['high', 'critical'];

/**
 * Returns whether a user of the package can comply with its license expression (SPDX) by choosing only
 * allowed licenses.
 */
const isLicenseAllowed = (expression) =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowedLicenses.has(licence.trim())));

/** Returns the production packages of a lock file that have no license, or a license that is not allowed. */
export const listDisallowedLicenses = ({ packages }) =>
  Object.entries(packages)
    .filter(([path, { dev }]) => path.includes('node_modules/') && !dev)
    .filter(([, { license = '' }]) => !isLicenseAllowed(license))
    .map(([path, { license = 'no licence' }]) => `${path.split('node_modules/').at(-1)}: ${license}`);

/**
 * Returns the packages that have a high or critical vulnerability according to the JSON of `npm audit`, or
 * undefined when the JSON is invalid.
 */
export const listVulnerablePackages = (text) => {
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof answer?.vulnerabilities !== 'object' || answer.vulnerabilities === null) return undefined;
  return Object.values(answer.vulnerabilities)
    .filter(({ severity }) => failingSeverities.includes(severity))
    .map(({ name, severity, range }) => `${name} ${range}: ${severity}`);
};

const runNpmAudit = () =>
  new Promise((resolve) => {
    const options = ['--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=10000'];
    const child = spawn('npm', ['audit', ...options], {
      cwd: projectRoot,
      env: createProjectEnvironment(),
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: auditTimeoutMs,
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.on('error', () => resolve(''));
    child.on('close', () => resolve(output));
  });

const checkDependencies = async () => {
  const printLine = (line) => process.stdout.write(`${line}\n`);
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
  const disallowed = listDisallowedLicenses(lock);
  const vulnerabilities = listVulnerablePackages(await runNpmAudit());
  for (const line of disallowed) printLine(`licence not on the list: ${line}`);
  for (const line of vulnerabilities ?? []) printLine(`known hole: ${line}`);
  if (!vulnerabilities)
    printLine('note: the package registry did not answer an audit, so known holes were not looked for');
  process.exitCode = disallowed.length + (vulnerabilities?.length ?? 0) === 0 ? 0 : 1;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await checkDependencies();
