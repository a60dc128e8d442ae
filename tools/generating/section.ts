import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Returns a Markdown page in which `text` replaces everything between the two markers of the
 * section `name`. Throws when the markers are missing.
 */
export const replaceSection = (
  path: string,
  name: string,
  text: string,
): { path: string; content: string } => {
  const page = readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
  const begin = `<!-- generated: ${name} -->`;
  const end = `<!-- end of generated: ${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${path} has no place for the generated section "${name}"`);
  return { path, content: `${page.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${page.slice(to)}` };
};
