import { expect, test } from 'vitest';
import { findFixedVersion } from './known-vulnerabilities.ts';

test.each([
  ['Node', '26.10.0', '26.12.1'],
  ['Node', '26.12.1', undefined],
  ['Node', '26.13.0', undefined],
  ['Node', '28.0.0', undefined],
  ['Node', '20.20.2', '22.23.4'],
  ['Node', '25.9.0', '26.12.1'],
  ['PostgreSQL', '18.4', '18.6'],
  ['PostgreSQL', '18.10', undefined],
  ['PostgreSQL', '15.20 (Debian 15.20-0+deb12u1)', undefined],
  ['PostgreSQL', '19.1', undefined],
] as const)('%s %s is fixed in %s', (program, version, fixed) => {
  expect(findFixedVersion(program, version)).toBe(fixed);
});
