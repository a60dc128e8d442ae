import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeStrayPercentSigns } from './valid-escapes.ts';

test.each([
  ['/%', '/%25'],
  ['/%zz', '/%25zz'],
  ['/listing/%E0%A4%A', '/listing/%25E0%25A4%25A'],
  ['/search?q=%zz', '/search?q=%zz'],
  ['/a%20b?c=%', '/a%20b?c=%'],
  ['/%C3%A9t%C3%A9/%ff', '/%C3%A9t%C3%A9/%25ff'],
  ['/plain', '/plain'],
])('escapeStrayPercentSigns turns %s into %s', (url, expected) => {
  expect(escapeStrayPercentSigns(url)).toBe(expected);
});

test('the result can always be decoded, and a path that could be decoded before is unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('%', 'a', 'f', '0', 'C', '3', '/', 'é') }), (text) => {
      const path = `/${text}`;
      const valid = escapeStrayPercentSigns(path);
      expect(() => decodeURIComponent(valid)).not.toThrow();
      let decodable = true;
      try {
        decodeURIComponent(path);
      } catch {
        decodable = false;
      }
      if (decodable) expect(valid).toBe(path);
    }),
  );
});
