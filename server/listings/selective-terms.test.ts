import { describe, expect, test } from 'vitest';
import { selectiveTerms } from './selective-terms.ts';

const repeated = (text: string, times: number): string[] => Array.from({ length: times }, () => text);

describe('the clues that tell', () => {
  test('are one, where no other text has it', () => {
    const sample = ['a desk chair', ...repeated('a desk', 50), ...repeated('a chair', 50)];
    expect(selectiveTerms('desk chair', ['desk', 'chair', 'sk ch'], sample)).toEqual(['sk ch']);
  });

  test('are more, where more spare enough looks in vain', () => {
    const sample = [...repeated('red lamp', 4), ...repeated('red', 30), ...repeated('lamp', 20)];
    expect(selectiveTerms('red lamp', ['red', 'lamp'], sample)).toEqual(['lamp', 'red']);
  });

  test('are no more, where the list of the next is too long for what it spares', () => {
    const sample = [...repeated('red lamp', 40), ...repeated('red', 160), ...repeated('lamp', 20)];
    expect(selectiveTerms('red lamp', ['red', 'lamp'], sample)).toEqual(['lamp']);
  });

  test('are still one without a sample, and none where there are none', () => {
    expect(selectiveTerms('desk', ['desk'], [])).toEqual(['desk']);
    expect(selectiveTerms(' ', [], ['a b'])).toEqual([]);
  });

  test('are looked for among the first of a long text only', () => {
    const clues = Array.from({ length: 3000 }, (_, index) => `clue ${index}`);
    expect(selectiveTerms('a long text', clues, ['clue 0 clue 1'])).toEqual(['clue 2']);
  });
});
