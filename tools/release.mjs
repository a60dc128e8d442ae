/**
 * `node tools/release.mjs /opt/quad`: copies this checkout into a new release folder there, installs and builds it, and
 * makes it the release that the next start uses. The running release is not changed, because its modules, Node and
 * PostgreSQL may still be loaded from its folder (docs/operations.md, "Upgrading").
 *
 *   /opt/quad/releases/2026-11-22T10-30-00Z/   a complete checkout with dependencies and build
 *   /opt/quad/current -> releases/…            replaced by an atomic rename
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { copyToRelease } from './release/copy-release.mjs';
import { activateRelease, removeOldReleases } from './release/releases.mjs';
import { exitWithError, printLine } from './setup/running.mjs';

const [target, ...others] = process.argv.slice(2);
const usage = 'Usage: node tools/release.mjs <folder of the releases, such as /opt/quad>\n';
if (target === '--help') {
  process.stdout.write(usage);
  process.exit(0);
}
if (!target || target.startsWith('-') || others.length > 0) {
  process.stderr.write(usage);
  process.exit(2);
}
const installationFolder = resolve(target);
const releaseName = `${new Date().toISOString().slice(0, 19).replace(/:/g, '-')}Z`;
const releaseFolder = join(installationFolder, 'releases', releaseName);

printLine(`Preparing ${releaseFolder} ...`);
copyToRelease(releaseFolder);
const { status } = spawnSync(process.execPath, [join(releaseFolder, 'tools', 'setup.mjs')], {
  cwd: releaseFolder,
  stdio: 'inherit',
});
if (status !== 0) exitWithError('The release could not be prepared; the current one stays.');
activateRelease(installationFolder, releaseName);
printLine(
  `${join(installationFolder, 'current')} is ${releaseName}. The running server stays on its own release until it is restarted.`,
);
for (const removed of removeOldReleases(installationFolder, new Date())) printLine(`Removed ${removed}.`);
