import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, test } from 'vitest';
import { isCommonPassword } from './leaked-passwords.ts';

describe('common passwords', () => {
  test('the list has at least the 10,000 most common passwords, in lower case', () => {
    const list: string[] = dictionary['passwords-common'];
    expect(new Set(list).size).toBeGreaterThanOrEqual(10_000);
    expect(list.filter((password) => password !== password.toLowerCase())).toEqual([]);
    expect(list.filter((password) => !isCommonPassword(password))).toEqual([]);
  });

  test.each([
    ['password1'],
    ['1q2w3e4r'],
    ['trustno1'],
    ['Password1'],
    ['QWERTY123'],
    ['P@ssw0rd'],
    ['password1!'],
    ['!!Abc12345..'],
    ['ＰＡＳＳＷＯＲＤ１'],
  ])('%s is a common password', (password) => expect(isCommonPassword(password)).toBe(true));

  test.each([['cardinal-and-gold-1'], ['gold-and-cardinal-2'], ['xq7-lantern-harbor'], ['1!2@3#4$'], ['']])(
    '%j is not a common password',
    (password) => expect(isCommonPassword(password)).toBe(false),
  );
});
