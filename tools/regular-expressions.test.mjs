import { describe, expect, test } from 'vitest';
import { listProblems } from './regular-expressions.mjs';

const check = (code) => listProblems('server/x.ts', code);

describe('the check of regular expressions', () => {
  test.each([
    ['a run of characters that a search tries at every position', String.raw`/\s+$/`],
    ['two overlapping runs', String.raw`/^\d+\.?\d*$/`],
    ['an opening tag whose end may be missing', String.raw`/<(?:\w+:)?Override\s[^>]*>/g`],
    ['nested repetition', '/^(?:a+)+$/'],
    ['alternatives of which one consists of two others', '/^(?:helpdesk|help|desk)*$/'],
    ['a constructed expression', `new RegExp('x*$', 'u')`],
    ['an expression constructed without new', 'RegExp(`x*$`)'],
  ])('refuses %s', (_what, code) => {
    expect(check(`const pattern = ${code};`)).toHaveLength(1);
  });

  test.each([
    ['a run that begins at a fixed position', String.raw`/^\s+/`],
    ['separated runs', String.raw`/^\d+(?:\.\d+)?$/`],
    ['classes of Unicode characters', String.raw`/[\p{L}\p{N}]+/gu`],
    ['a template string', '`a/b+$/`'],
  ])('accepts %s', (_what, code) => {
    expect(check(`const pattern = ${code};`)).toEqual([]);
  });

  test('resolves constants of the same file', () => {
    const code = `const space = '\\\\s';
      const run = \`\${space}+\`;
      const parts = [run, '$'];
      const pattern = new RegExp(parts.join(''), 'u');`;
    expect(check(code)).toEqual([
      expect.stringMatching(/^server\/x\.ts:4: \/\\s\+\$\/u 2nd degree polynomial/),
    ]);
  });

  test('refuses an expression that is composed at run time', () => {
    expect(check('const find = (text: string) => new RegExp(text);')).toEqual([
      'server/x.ts:1: cannot be checked, because it is not composed of constants of this file',
    ]);
  });

  test('exempts an expression below a comment with the reason', () => {
    const code = String.raw`const pattern = /\s+$/;`;
    expect(check(`// Superlinear, but only the operator's settings are matched.\n${code}`)).toEqual([]);
    expect(check(`// Superlinear\n${code}`)).toHaveLength(1);
  });
});
