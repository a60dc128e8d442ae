import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { returningVisitorScript } from './returning-visitor.ts';

const createStorage = () => {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
};

/** Runs the script as a page does that is opened with these storages. Returns whether the visitor counts as returning. */
const open = (storages: object): boolean => {
  const dataset: Record<string, string> = {};
  runInNewContext(returningVisitorScript, { ...storages, document: { documentElement: { dataset } } });
  return 'returning' in dataset;
};

test('nobody returns during the first session, and everybody does in later ones', () => {
  const localStorage = createStorage();
  const first = { localStorage, sessionStorage: createStorage() };
  expect([open(first), open(first), open(first)]).toEqual([false, false, false]);
  const later = { localStorage, sessionStorage: createStorage() };
  expect([open(later), open(later)]).toEqual([true, true]);
});

test('every visit is the first if storage is blocked', () => {
  expect([open({}), open({})]).toEqual([false, false]);
});
