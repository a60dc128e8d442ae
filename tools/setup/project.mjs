import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const modules = join(root, 'node_modules');
export const isWindows = process.platform === 'win32';

/** Path of the Node binary that the project runs on; a dependency installs it. */
export const bundledNode = join(modules, 'node', 'bin', isWindows ? 'node.exe' : 'node');

/** Returns environment variables for child processes, with the project's Node and tools first on the PATH. */
export function projectEnvironment(extra) {
  const path = `${join(modules, '.bin')}${delimiter}${process.env.PATH || ''}`;
  return Object.assign({}, process.env, { PATH: path }, extra);
}
