import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { allCalls } from '#contract/all-calls.ts';
import { listDeclaredErrors } from '#contract/calls/declare-call.ts';
import { errorCatalog } from '#contract/errors.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const catalogCodes = Object.keys(errorCatalog);

const sources = readdirSync(`${root}server`, { recursive: true })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing'))
  .map((file) => readFileSync(`${root}server/${file}`, 'utf8'))
  .join('\n');

const declaredCodes = new Set(Object.values(allCalls).flatMap(listDeclaredErrors));

/**
 * All string literals in server code that have the form of an error code. Looking only at
 * `createProblem('…')` is not enough, because some error codes come from lookup tables.
 */
const serverErrorCodeLiterals = new Set(
  [...sources.matchAll(/'([a-z]+(?:_[a-z]+)*)'/g)].map(([, name]) => name),
);

test('every error of the catalog is raised somewhere on the server', () => {
  expect(catalogCodes.filter((code) => !serverErrorCodeLiterals.has(code))).toEqual([]);
});

test('every code passed to createProblem() is in the catalog', () => {
  const raised = [...sources.matchAll(/\bcreateProblem\(\s*'(\w+)'/g)].map(([, code]) => code);
  expect(raised.length).toBeGreaterThan(30);
  expect(raised.filter((code) => !catalogCodes.includes(code))).toEqual([]);
});

test('every error that a call declares is raised by the server', () => {
  expect([...declaredCodes].filter((code) => !serverErrorCodeLiterals.has(code))).toEqual([]);
});

test('the documentation lists exactly the errors of the catalog', () => {
  const documentation = readFileSync(`${root}docs/calls.md`, 'utf8');
  const [, errors = ''] = documentation.split('\n## Errors\n');
  const listed = [...errors.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(listed).toEqual(catalogCodes.map((code) => [code, errorCatalog[code].status]));
});
