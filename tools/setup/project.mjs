import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const modules = join(root, 'node_modules');
export const windows = process.platform === 'win32';

/** The Node that the project is tested on; it comes with the dependencies. */
export const bundledNode = join(modules, 'node', 'bin', windows ? 'node.exe' : 'node');

/** The environment for programs of the project: its Node and tools come first. */
export function projectEnvironment(extra) {
  const path = `${join(modules, '.bin')}${delimiter}${process.env.PATH || ''}`;
  return Object.assign({}, process.env, { PATH: path }, extra);
}
