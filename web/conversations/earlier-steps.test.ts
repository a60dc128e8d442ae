import { expect, test } from 'vitest';
import { collapseEarlierSteps } from './earlier-steps.ts';
import type { ThreadItem } from './thread.ts';

const at = '2026-03-02T18:00:00.000Z';
const toItem = (key: string): ThreadItem =>
  key.startsWith('m')
    ? { kind: 'bubble', key, text: key, at, own: false, pending: false }
    : { kind: 'event_line', key, text: key, at, transition: 'offer' };
const collapse = (keys: string[], expanded: string[] = []) =>
  collapseEarlierSteps(keys.map(toItem), new Set(expanded)).map((row) =>
    row.kind === 'earlier_steps' ? row.keys.length : row.key,
  );

test('collapses all but the last of several steps in a row', () => {
  expect(collapse(['a', 'b', 'c', 'm1', 'd', 'e', 'm2', 'f'])).toEqual([2, 'c', 'm1', 'd', 'e', 'm2', 'f']);
  expect(collapse(['a', 'b', 'c', 'd'])).toEqual([3, 'd']);
});

test('shows expanded steps, also when a new one follows', () => {
  expect(collapse(['a', 'b', 'c'], ['a', 'b'])).toEqual([2, 'a', 'b', 'c']);
  expect(collapse(['a', 'b', 'c', 'd'], ['a', 'b'])).toEqual([3, 'a', 'b', 'c', 'd']);
});
