import { exitWithError } from './running.mjs';

/** Returns whether a version of Node can install the dependencies; `engines` of package.json says the same. */
export function isSupportedNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major === 20) return minor >= 19;
  return major > 22 || (major === 22 && minor >= 12);
}

/** Exits with one line if this Node cannot install the dependencies. */
export function assertSupportedNode() {
  if (isSupportedNode(process.versions.node)) return;
  exitWithError(
    `Node ${process.versions.node} cannot install Quad. Use Node 24, or at least 20.19 or 22.12: https://nodejs.org`,
  );
}
