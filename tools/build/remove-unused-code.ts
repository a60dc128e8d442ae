import type { Plugin } from 'vite';

/**
 * Code to remove from one file of a library that every page loads. Our configuration and components
 * never use this code, but the bundler cannot detect that. Each entry must match the library's
 * code, so a library update that changes the code fails the build.
 */
export interface UnusedCode {
  /**
   * Texts to replace, each with its replacement. For example, a condition is replaced with the constant
   * `false`. For a text that occurs several times, the value also contains the number of occurrences.
   */
  texts?: Readonly<Record<string, string | readonly [replacement: string, count: number]>>;
  /**
   * Functions whose bodies are replaced. Each key is a new body, and its value lists the names of the
   * functions that get this body.
   */
  functions?: Readonly<Record<string, readonly string[]>>;
  /** Left-hand sides of the assignments to remove, such as `Class.prototype.method`. */
  assignments?: readonly string[];
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const replaceSingleMatch = (code: string, pattern: RegExp, replacement: string): string => {
  const count = code.match(pattern)?.length ?? 0;
  if (count !== 1) throw new Error(`Found ${count} times instead of once: ${pattern}`);
  return code.replace(pattern, replacement);
};

/**
 * Returns a library file's code without its unused parts. Throws when the code does not contain one of these
 * parts exactly as often as expected.
 */
export const removeUnusedCode = (
  code: string,
  { texts = {}, functions = {}, assignments = [] }: UnusedCode,
): string => {
  let result = code;
  for (const [text, change] of Object.entries(texts)) {
    const [replacement, expectedCount] = typeof change === 'string' ? [change, 1] : change;
    const count = result.split(text).length - 1;
    if (count !== expectedCount)
      throw new Error(`Found ${count} times instead of ${expectedCount} times: ${text}`);
    result = result.replaceAll(text, () => replacement);
  }
  // A function declaration ends at the first closing brace that is indented like its first line.
  for (const [body, names] of Object.entries(functions))
    for (const name of names) {
      const start = `^([ \\t]*)((?:async )?function ${escapePattern(name)}\\([^)]*\\)) \\{$`;
      result = replaceSingleMatch(
        result,
        new RegExp(`${start}[\\s\\S]*?^\\1\\}$`, 'gm'),
        `$1$2 {${body.replaceAll('$', '$$$$')}}`,
      );
    }
  for (const target of assignments)
    result = replaceSingleMatch(result, new RegExp(`^${escapePattern(target)} = [\\s\\S]*?^\\};$`, 'gm'), '');
  return result;
};

/**
 * Returns a Vite plugin that removes unused library code from the scripts of pages. `unused` maps the end
 * of each library file's path to the code to remove from that file. The build fails when a file or a part
 * of its code is missing. The plugin does nothing in the development server.
 */
export const createUnusedCodePlugin = (unused: Readonly<Record<string, UnusedCode>>): Plugin => {
  const missing = new Set(Object.keys(unused));
  return {
    name: 'leave-out-unused-code',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\/node_modules\// },
      handler(code, id) {
        const [file, parts] = Object.entries(unused).find(([ending]) => id.endsWith(`/${ending}`)) ?? [];
        if (!file || !parts) return undefined;
        missing.delete(file);
        return { code: removeUnusedCode(code, parts), map: null };
      },
    },
    buildEnd(error) {
      if (!error && missing.size > 0) throw new Error(`Not part of the build: ${[...missing].join(', ')}`);
    },
  };
};
