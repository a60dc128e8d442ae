/**
 * `node tools/release.mjs /opt/quad`: prepares this checkout as a new release below the folder, beside the one that is
 * running, and makes it the one that the next start uses. Nothing of the running release is touched: its modules, its
 * Node and its PostgreSQL may still be loaded from there (docs/operations.md, "Upgrading").
 *
 *   /opt/quad/releases/2026-11-22T10-30-00Z/   a whole checkout with its dependencies and its build
 *   /opt/quad/current -> releases/…            replaced by an atomic rename
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { copyCheckout } from './release/copy.mjs';
import { activateRelease, removeOldReleases } from './release/releases.mjs';
import { fail, say } from './setup/running.mjs';

const [target, ...others] = process.argv.slice(2);
if (!target || others.length > 0) {
  process.stderr.write('Usage: node tools/release.mjs <folder of the releases, such as /opt/quad>\n');
  process.exit(2);
}
const folder = resolve(target);
const name = `${new Date().toISOString().slice(0, 19).replace(/:/g, '-')}Z`;
const release = join(folder, 'releases', name);

say(`Preparing ${release} ...`);
copyCheckout(release);
const { status } = spawnSync(process.execPath, [join(release, 'tools', 'setup.mjs')], {
  cwd: release,
  stdio: 'inherit',
});
if (status !== 0) fail('The release could not be prepared; the current one stays.');
activateRelease(folder, name);
say(
  `${join(folder, 'current')} is ${name}. The running server stays on its own release until it is restarted.`,
);
for (const removed of removeOldReleases(folder, new Date())) say(`Removed ${removed}.`);
