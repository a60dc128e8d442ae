import { describe, expect, test } from 'vitest';
import { createUnusedCodePlugin, removeUnusedCode } from './remove-unused-code.ts';

const librarySource = `var mode = "lazy";
function outer(options) {
	function inner(key) {
		if (key) {
			return key;
		}
	}
	async function load(first, {
		second
	}) {
		await first;
	}
	return { inner, load, lazy: mode === "lazy" };
}
outer.prototype.focus = function () {
  return {
    a: 1
  };
};
`;

describe('removeUnusedCode', () => {
  test('replaces texts and function bodies, removes assignments, and keeps everything else', () => {
    const code = removeUnusedCode(librarySource, {
      texts: { 'mode === "lazy"': 'false' },
      functions: { 'return $1;': ['inner'], '': ['load'] },
      assignments: ['outer.prototype.focus'],
    });
    expect(code).toBe(`var mode = "lazy";
function outer(options) {
	function inner(key) {return $1;}
	async function load(first, {
		second
	}) {}
	return { inner, load, lazy: false };
}

`);
  });

  test('throws when code to remove is missing or ambiguous', () => {
    expect(() => removeUnusedCode(librarySource, { texts: { 'mode === "eager"': 'false' } })).toThrow(
      'Found 0 times instead of 1 times: mode === "eager"',
    );
    expect(() => removeUnusedCode(librarySource, { texts: { 'return ': 'throw ' } })).toThrow(
      'Found 3 times',
    );
    expect(removeUnusedCode(librarySource, { texts: { 'return ': ['throw ', 3] } })).not.toContain('return ');
    expect(() => removeUnusedCode(librarySource, { functions: { '': ['save'] } })).toThrow('Found 0 times');
    expect(() => removeUnusedCode(librarySource + librarySource, { functions: { '': ['inner'] } })).toThrow(
      'Found 2 times',
    );
    expect(() => removeUnusedCode(librarySource, { assignments: ['outer.prototype.blur'] })).toThrow(
      'Found 0 times',
    );
  });
});

test('the build fails if it does not include a file that the unused-code plugin names', () => {
  const { buildEnd } = createUnusedCodePlugin({ 'library/index.js': {} });
  expect(() => (buildEnd as () => void)()).toThrow('Not part of the build: library/index.js');
});
