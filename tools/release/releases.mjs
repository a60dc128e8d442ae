import {
  existsSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join, sep } from 'node:path';

/** For how many ms a release is kept after another release has replaced it. */
const retentionMs = 24 * 3_600_000;

/**
 * Makes the next start use this release. Sets the previous release's modification time to now, to record when
 * it was replaced.
 */
export function activateRelease(folder, name) {
  const current = join(folder, 'current');
  const next = join(folder, `.current.${process.pid}`);
  const previous = existsSync(current) ? realpathSync(current) : undefined;
  rmSync(next, { force: true });
  symlinkSync(join('releases', name), next);
  renameSync(next, current);
  if (previous) utimesSync(previous, new Date(), new Date());
}

/**
 * Removes releases that were replaced more than a day ago, or that were prepared more than a day
 * ago and never used. Keeps releases that a process still runs from. Returns the names of the
 * removed releases.
 */
export function removeOldReleases(folder, now, usedPaths = listRunningPaths()) {
  const releases = join(realpathSync(folder), 'releases');
  const current = realpathSync(join(folder, 'current'));
  const isUsed = (release) => usedPaths.some((path) => path === release || path.startsWith(release + sep));
  return readdirSync(releases).filter((name) => {
    const release = join(releases, name);
    const isRecent = now.getTime() - statSync(release).mtimeMs < retentionMs;
    if (release === current || isRecent || isUsed(release)) return false;
    rmSync(release, { recursive: true, force: true });
    return true;
  });
}

/**
 * Returns the executables and working directories of all processes that this process may inspect; an empty
 * list on systems other than Linux.
 */
function listRunningPaths() {
  if (!existsSync('/proc/self/exe')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => ['exe', 'cwd'].map((link) => readLinkIfPermitted(`/proc/${pid}/${link}`)))
    .filter(Boolean);
}

function readLinkIfPermitted(path) {
  try {
    return readlinkSync(path);
  } catch (_) {
    // The process has ended or belongs to another user.
    return undefined;
  }
}
