/** Returns the code of an error, such as a SQLSTATE. */
export const getErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Returns whether a statement violated a unique constraint (the named one, if given). */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  getErrorCode(error) === '23505' &&
  (constraint === undefined || (error as { constraint?: string }).constraint === constraint);

/** Returns whether a statement violated an exclusion constraint. */
export const isExclusionViolation = (error: unknown): boolean => getErrorCode(error) === '23P01';

/** Returns whether a statement failed because it waited for a lock longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === '55P03') || isLockTimeout(error.cause));

/** Returns whether a statement violated a foreign key whose name matches the pattern. */
export const isForeignKeyViolation = (error: unknown, constraint: RegExp): boolean =>
  getErrorCode(error) === '23503' && constraint.test((error as { constraint?: string }).constraint ?? '');

/** Returns whether a statement violated a check constraint. */
export const isCheckViolation = (error: unknown): boolean => getErrorCode(error) === '23514';

const unavailableErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  // Codes for a network that is down or a host name that cannot be resolved.
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  // Error codes when no listed server is a primary, and when the connected server has become a standby (25006).
  'NO_PRIMARY',
  '25006',
  // Code for a PgBouncer that has lost its connection to PostgreSQL or cannot open one.
  '08P01',
  // Codes for a PostgreSQL server that is shutting down, has crashed or is starting up; that has no
  // connections, disk space or memory left; or whose disk fails.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '53100',
  '53200',
  '58030',
  // Code for a transaction that PostgreSQL aborted to end a deadlock.
  '40P01',
]);

/**
 * Returns whether an error means that the database is unreachable or temporarily failing, so that a retry makes sense.
 */
export const isUnavailableError = (error: unknown): boolean =>
  unavailableErrorCodes.has(getErrorCode(error) ?? '');

/**
 * Returns whether PostgreSQL refused text that it cannot store (a NUL character or a lone surrogate), which is the
 * caller's fault.
 */
export const isUnstorableTextError = (error: unknown): boolean =>
  getErrorCode(error) === '22021' || getErrorCode(error) === '22P05';
