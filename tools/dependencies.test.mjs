import { expect, test } from 'vitest';
import { listDisallowedLicenses, listVulnerablePackages } from './dependencies.mjs';

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
