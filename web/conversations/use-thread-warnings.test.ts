import { expect, test } from 'vitest';
import type { ThreadItem } from './thread.ts';
import { findWarningsByItem } from './use-thread-warnings.ts';

const createBubble = (key: string, text: string, own = false): ThreadItem => ({
  kind: 'bubble',
  key,
  own,
  text,
  at: '2026-03-02T18:00:00.000Z',
  pending: false,
});
const items = [
  createBubble('own', 'https://evil.example', true),
  createBubble('first', 'Hi!'),
  createBubble('second', 'See https://evil.example'),
];
const options = { ownHosts: ['usc.edu'], isFirstOfNewAccount: false, dismissed: new Set<string>() };

test('only messages of the other party have warnings', () => {
  expect([...findWarningsByItem(items, options)]).toEqual([['second', ['link']]]);
});

test('the first message of a new account has a warning, whatever it says', () => {
  expect([...findWarningsByItem(items, { ...options, isFirstOfNewAccount: true })]).toEqual([
    ['first', ['new_account']],
    ['second', ['link']],
  ]);
});

test('omits warnings of a dismissed kind', () => {
  const dismissed = new Set(['link', 'new_account']);
  expect([...findWarningsByItem(items, { ...options, isFirstOfNewAccount: true, dismissed })]).toEqual([]);
});

test('event lines have no warnings', () => {
  const line: ThreadItem = {
    kind: 'event_line',
    key: 'line',
    text: 'https://evil.example',
    at: '2026-03-02T18:00:00.000Z',
    transition: 'offer',
  };
  expect(findWarningsByItem([line], options).size).toBe(0);
});
