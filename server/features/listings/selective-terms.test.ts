import { describe, expect, test } from 'vitest';
import { chooseSelectiveTerms } from './text-search.ts';

const repeatText = (text: string, times: number): string[] => Array.from({ length: times }, () => text);

describe('the terms that select rows through an index', () => {
  test('are a single term if only matching texts in the sample contain it', () => {
    const sample = ['a desk chair', ...repeatText('a desk', 50), ...repeatText('a chair', 50)];
    expect(chooseSelectiveTerms('desk chair', ['desk', 'chair', 'sk ch'], sample)).toEqual(['sk ch']);
  });

  test('are several when each excludes enough rows', () => {
    const sample = [...repeatText('red lamp', 4), ...repeatText('red', 30), ...repeatText('lamp', 20)];
    expect(chooseSelectiveTerms('red lamp', ['red', 'lamp'], sample)).toEqual(['lamp', 'red']);
  });

  test('exclude a term whose index entries cost more to read than they save', () => {
    const sample = [...repeatText('red lamp', 40), ...repeatText('red', 160), ...repeatText('lamp', 20)];
    expect(chooseSelectiveTerms('red lamp', ['red', 'lamp'], sample)).toEqual(['lamp']);
  });

  test('are a single term if the sample is empty, and none if the text has no terms', () => {
    expect(chooseSelectiveTerms('desk', ['desk'], [])).toEqual(['desk']);
    expect(chooseSelectiveTerms(' ', [], ['a b'])).toEqual([]);
  });

  test('come only from the beginning of a long text', () => {
    const terms = Array.from({ length: 3000 }, (_, index) => `clue ${index}`);
    expect(chooseSelectiveTerms('a long text', terms, ['clue 0 clue 1'])).toEqual(['clue 2']);
  });
});
