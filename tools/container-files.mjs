/** Lints ops/Dockerfile; fails and prints the line of each finding. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ValidationSeverity, validate } from 'dockerfile-utils';
import { root } from './setup/project.mjs';

const rules = [
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
const settings = Object.fromEntries(rules.map((rule) => [rule, ValidationSeverity.ERROR]));

const file = join('ops', 'Dockerfile');
const faults = validate(readFileSync(join(root, file), 'utf8'), settings);
for (const { range, message } of faults)
  process.stderr.write(`${file}:${range.start.line + 1}: ${message}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
