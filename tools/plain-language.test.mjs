import { expect, test } from 'vitest';
import { listNonstandardTerms } from './plain-language.mjs';

test('reports nonstandard terms with their line and the term to use', () => {
  const text = [
    '/** Returns the page. */',
    ['/** Answ', 'ers the page; it is made an', 'ew. */'].join(''),
  ].join('\n');
  expect(listNonstandardTerms(text)).toEqual([
    expect.stringMatching(/^2: an.w → again$/),
    expect.stringMatching(/→ Returns$/),
  ]);
});

test('accepts standard terms, and questions', () => {
  expect(
    listNonstandardTerms(
      ['// Wh', 'o is signed in?\n/** Renders the page again after a timeout. */'].join(''),
    ),
  ).toEqual([]);
});
