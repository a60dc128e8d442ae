/**
 * Lints ops/Dockerfile, and checks that ops/compose.yaml passes every setting on; prints each finding, and fails if there
 * are any.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ValidationSeverity, validate } from 'dockerfile-utils';
import { environmentSchema } from '../server/settings.ts';
import { projectRoot } from './setup/project.mjs';

const lintRules = [
  'deprecatedMaintainer',
  'directiveCasing',
  'emptyContinuationLine',
  'instructionCasing',
  'instructionCmdMultiple',
  'instructionEntrypointMultiple',
  'instructionHealthcheckMultiple',
  'instructionJSONInSingleQuotes',
  'instructionWorkdirRelative',
];
const lintSettings = Object.fromEntries(lintRules.map((rule) => [rule, ValidationSeverity.ERROR]));

const dockerfilePath = join('ops', 'Dockerfile');
const findings = validate(readFileSync(join(projectRoot, dockerfilePath), 'utf8'), lintSettings);
for (const { range, message } of findings)
  process.stderr.write(`${dockerfilePath}:${range.start.line + 1}: ${message}\n`);

/** Settings that the image decides, or that make no sense in a container beside other containers. */
const containerSettings = new Set([
  'PORT',
  'HOST',
  'LISTEN_FDS',
  'LISTEN_PID',
  'NODE_ENV',
  'QUAD_DATA_DIR',
  'QUAD_POSTGRES_BIN',
  'QUAD_DATABASE_DIRECT_URL',
  'QUAD_DATABASE_READ_URL',
]);
const composePath = join('ops', 'compose.yaml');
const compose = readFileSync(join(projectRoot, composePath), 'utf8');
const missingSettings = Object.keys(environmentSchema.shape).filter(
  (name) => !containerSettings.has(name) && !new RegExp(`^ {6}${name}:`, 'm').test(compose),
);
for (const name of missingSettings) process.stderr.write(`${composePath}: ${name} is missing\n`);

process.exitCode = findings.length + missingSettings.length > 0 ? 1 : 0;
