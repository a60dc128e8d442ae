/** A program that Quad runs on, whose old versions have known vulnerabilities. */
export type Program = 'Node' | 'PostgreSQL';

/**
 * The first version of each major version that has all security fixes known today. Renew it with each release of Quad:
 * https://nodejs.org/en/blog/vulnerability and https://www.postgresql.org/support/security/
 */
const fixedVersions: Record<Program, readonly string[]> = {
  // The security releases of 21 October 2026.
  Node: ['22.23.4', '24.22.1', '26.12.1'],
  // The releases of 13 August 2026, which have no 18.5.
  PostgreSQL: ['15.19', '16.15', '17.11', '18.6'],
};

/** Vulnerable versions that this project still uses, because npm has no newer ones. */
export const acceptedVersions: readonly { program: Program; version: string; reason: string }[] = [
  {
    program: 'PostgreSQL',
    version: '18.4',
    reason: 'npm has no newer binaries; only the account of this server can reach it',
  },
  { program: 'Node', version: '26.10.0', reason: 'npm has no newer packages for macOS and Windows' },
];

const toNumbers = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10));

/** Returns whether a version is lower than another one. */
const isLower = (version: string, other: string): boolean => {
  const [ours, theirs] = [toNumbers(version), toNumbers(other)];
  const differing = theirs.findIndex((number, index) => number !== (ours[index] ?? 0));
  return differing !== -1 && (ours[differing] ?? 0) < (theirs[differing] ?? 0);
};

/**
 * Returns the version in which the vulnerabilities of a version are fixed, or undefined when none are known. Major
 * versions that get no fixes any more are fixed by the next one that does.
 */
export const findFixedVersion = (program: Program, version: string): string | undefined => {
  const [major = 0] = toNumbers(version);
  const fixed = fixedVersions[program].find((candidate) => (toNumbers(candidate)[0] ?? 0) >= major);
  return fixed !== undefined && isLower(version, fixed) ? fixed : undefined;
};
