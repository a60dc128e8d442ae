import { afterEach, beforeEach } from 'vitest';
import { collectTexts, listMissingTexts } from './collect-texts.ts';

/**
 * Records all texts that the tests of a file show. Returns a function that lists those of the expected texts that no
 * test so far has shown.
 */
export const recordShownTexts = (): ((expected: readonly string[]) => string[]) => {
  const shown = new Set<string>();
  const record = () => {
    for (const text of collectTexts()) shown.add(text);
  };
  const observer = new MutationObserver(record);
  beforeEach(() =>
    observer.observe(document.body, {
      attributes: true,
      childList: true,
      characterData: true,
      subtree: true,
    }),
  );
  afterEach(() => observer.disconnect());
  return (expected) => listMissingTexts(expected, shown);
};
