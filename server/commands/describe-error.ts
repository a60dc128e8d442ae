import { formatErrorMessage, Problem } from '#contract/errors.ts';
import { readConfig } from '#server/config.ts';

/** Returns the line that a failed command prints. */
export const describeError = (error: unknown): string => {
  if (error instanceof Problem)
    return error.message || formatErrorMessage(error.code, readConfig(process.env).campus);
  return error instanceof Error ? error.message : String(error);
};
