import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { calls, declaredErrorsOf } from '#contract/calls.ts';
import { errorCatalogue } from '#contract/errors.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const codes = Object.keys(errorCatalogue);

const sources = readdirSync(`${root}server`, { recursive: true })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing'))
  .map((file) => readFileSync(`${root}server/${file}`, 'utf8'))
  .join('\n');

const declaredCodes = new Set(Object.values(calls).flatMap(declaredErrorsOf));

/** All string literals in server code that look like an error code: in `problem('…')`, or in a table that is passed to it. */
const literalsInServer = new Set([...sources.matchAll(/'([a-z]+(?:_[a-z]+)*)'/g)].map(([, name]) => name));

test('every error of the catalogue is raised somewhere on the server', () => {
  expect(codes.filter((code) => !literalsInServer.has(code))).toEqual([]);
});

test('every code passed to problem() is in the catalogue', () => {
  const raised = [...sources.matchAll(/\bproblem\(\s*'(\w+)'/g)].map(([, code]) => code);
  expect(raised.length).toBeGreaterThan(30);
  expect(raised.filter((code) => !codes.includes(code))).toEqual([]);
});

test('every error that a call declares is raised by the server', () => {
  expect([...declaredCodes].filter((code) => !literalsInServer.has(code))).toEqual([]);
});

test('the documentation lists exactly the errors of the catalogue', () => {
  const documentation = readFileSync(`${root}docs/calls.md`, 'utf8');
  const [, errors = ''] = documentation.split('\n## Errors\n');
  const listed = [...errors.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(listed).toEqual(codes.map((code) => [code, errorCatalogue[code].status]));
});
