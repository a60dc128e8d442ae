import type { z } from 'zod';

/**
 * Returns the first message of each invalid field. `fieldOf` names the field of a path; by default its segments are
 * joined with dots, so an error about the whole value has an empty name.
 */
export const toFieldErrors = (
  { issues }: z.ZodError,
  fieldOf: (path: readonly PropertyKey[]) => string = (path) => path.join('.'),
): Record<string, string> => {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) errors[fieldOf(path)] ??= message;
  return errors;
};
