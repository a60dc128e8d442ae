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
import { copyCheckout } from './release/copy.mjs';
import { activateRelease, removeOldReleases } from './release/releases.mjs';
import { failWith, printLine } from './setup/running.mjs';

const [target, ...others] = process.argv.slice(2);
if (!target || others.length > 0) {
  process.stderr.write('Usage: node tools/release.mjs <folder of the releases, such as /opt/quad>\n');
  process.exit(2);
}
const folder = resolve(target);
const name = `${new Date().toISOString().slice(0, 19).replace(/:/g, '-')}Z`;
const release = join(folder, 'releases', name);

printLine(`Preparing ${release} ...`);
copyCheckout(release);
const { status } = spawnSync(process.execPath, [join(release, 'tools', 'setup.mjs')], {
  cwd: release,
  stdio: 'inherit',
});
if (status !== 0) failWith('The release could not be prepared; the current one stays.');
activateRelease(folder, name);
printLine(
  `${join(folder, 'current')} is ${name}. The running server stays on its own release until it is restarted.`,
);
for (const removed of removeOldReleases(folder, new Date())) printLine(`Removed ${removed}.`);
