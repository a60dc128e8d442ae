import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const nodeModulesFolder = join(projectRoot, 'node_modules');
export const isWindows = process.platform === 'win32';

/** Path of the Node binary that the project runs on. The npm package `node` installs it. */
export const bundledNodePath = join(nodeModulesFolder, 'node', 'bin', isWindows ? 'node.exe' : 'node');

/**
 * Returns environment variables for child processes, in which the PATH begins with the folder of the
 * project's Node and tools.
 */
export function createProjectEnvironment(extra) {
  const path = `${join(nodeModulesFolder, '.bin')}${delimiter}${process.env.PATH || ''}`;
  return Object.assign({}, process.env, { PATH: path }, extra);
}
