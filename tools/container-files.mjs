/** Lints ops/Dockerfile; prints each finding with its line number, and fails if there are any. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ValidationSeverity, validate } from 'dockerfile-utils';
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
process.exitCode = findings.length > 0 ? 1 : 0;
