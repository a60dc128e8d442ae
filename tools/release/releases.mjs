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

const keptMs = 24 * 3_600_000;

/** Makes a release the one that the next start uses; notes on the previous one when it was replaced. */
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
 * Removes releases that were replaced more than a day ago, or never became current, unless a process still runs from
 * them. Returns their names.
 */
export function removeOldReleases(folder, now, usedPaths = runningPaths()) {
  const releases = join(realpathSync(folder), 'releases');
  const current = realpathSync(join(folder, 'current'));
  const isUsed = (release) => usedPaths.some((path) => path === release || path.startsWith(release + sep));
  return readdirSync(releases).filter((name) => {
    const release = join(releases, name);
    const isRecent = now.getTime() - statSync(release).mtimeMs < keptMs;
    if (release === current || isRecent || isUsed(release)) return false;
    rmSync(release, { recursive: true, force: true });
    return true;
  });
}

/** The programs and working folders of all processes that we may look at; Linux only, elsewhere none. */
function runningPaths() {
  if (!existsSync('/proc/self/exe')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => ['exe', 'cwd'].map((link) => readLink(`/proc/${pid}/${link}`)))
    .filter(Boolean);
}

function readLink(path) {
  try {
    return readlinkSync(path);
  } catch (_) {
    // Ended, or of another user.
    return undefined;
  }
}
