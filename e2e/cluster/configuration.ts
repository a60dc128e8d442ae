import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const examples = fileURLToPath(new URL('../../ops/cluster', import.meta.url));

/**
 * Returns the text of an example file of `ops/cluster/` in which each key of `replacements` is replaced with
 * its value. Throws when the file does not contain one of the keys.
 */
export const readConfigurationExample = (name: string, replacements: Record<string, string> = {}): string => {
  let text = readFileSync(join(examples, name), 'utf8');
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`ops/cluster/${name} does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
};

/** Returns the variables of an example file that is an environment file. */
export const readExampleEnvironment = (
  name: string,
  replacements: Record<string, string> = {},
): Record<string, string> =>
  Object.fromEntries(
    readConfigurationExample(name, replacements)
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
