import { expect, test } from 'vitest';
import {
  consoleLinks,
  consoleSectionNames,
  getConsoleSectionTitle,
  parseConsolePath,
} from './console-sections.ts';

const toInnerPath = (path: string) => path.replace(/^\/moderation\/?/, '');

test('the path of every section and item is parsed to that section and item', () => {
  for (const section of consoleSectionNames)
    expect(parseConsolePath(toInnerPath(consoleLinks.section(section)))).toEqual({ section, id: undefined });
  expect(parseConsolePath(toInnerPath(consoleLinks.person('a b')))).toEqual({
    section: 'people',
    id: 'a%20b',
  });
  expect(parseConsolePath('forms/1')).toEqual({ section: 'forms', id: '1' });
});

test.each(['unknown', 'people/1/2', 'overview/1', 'constructor'])(
  '%s is not a screen of the console',
  (path) => {
    expect(parseConsolePath(path)).toBeUndefined();
    expect(getConsoleSectionTitle(path)).toBe('Moderation');
  },
);

test('each section has a title', () => {
  expect(getConsoleSectionTitle('')).toBe('Overview · Moderation');
  expect(getConsoleSectionTitle('people/1')).toBe('People · Moderation');
});
