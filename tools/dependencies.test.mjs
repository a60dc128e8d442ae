import { expect, test } from 'vitest';
import { foreignLicences, judgeAudit } from './dependencies.mjs';

test('only production packages under licences that are not on the list are named', () => {
  const packages = {
    '': { license: 'UNLICENSED' },
    'node_modules/plain': { license: 'MIT' },
    'node_modules/choice': { license: '(MIT OR GPL-3.0-only)' },
    'node_modules/both': { license: 'Apache-2.0 AND GPL-3.0-only' },
    'node_modules/plain/node_modules/inner': { license: 'AGPL-3.0-only', optional: true },
    'node_modules/silent': {},
    'node_modules/tool': { license: 'GPL-3.0-only', dev: true },
  };
  expect(foreignLicences({ packages })).toEqual([
    'both: Apache-2.0 AND GPL-3.0-only',
    'inner: AGPL-3.0-only',
    'silent: no licence',
  ]);
});

test('an audit fails for high and critical holes only', () => {
  const hole = (name, severity) => ({ name, severity, range: '<2' });
  const vulnerabilities = {
    a: hole('a', 'low'),
    b: hole('b', 'moderate'),
    c: hole('c', 'high'),
    d: hole('d', 'critical'),
  };
  expect(judgeAudit(JSON.stringify({ vulnerabilities }))).toEqual(['c <2: high', 'd <2: critical']);
  expect(judgeAudit(JSON.stringify({ vulnerabilities: {} }))).toEqual([]);
});

test.each(['', 'not JSON', 'null', '{"message":"405 Method Not Allowed","statusCode":405}'])(
  'the answer %j is none',
  (text) => {
    expect(judgeAudit(text)).toBeUndefined();
  },
);
