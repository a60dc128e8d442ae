import { z } from 'zod';

/** The roles that give access to the moderation console, from the least to the most powerful. */
export const consoleRoles = ['moderator', 'administrator'] as const;
export const consoleRoleSchema = z.enum(consoleRoles);
export type ConsoleRole = z.infer<typeof consoleRoleSchema>;

/** Returns whether the `access` value of a call stands for a role in the console. */
export const isConsoleRole = (access: string): access is ConsoleRole =>
  consoleRoles.some((role) => role === access);

/** Returns whether the role `held` includes the permissions of the role `needed`. */
export const isConsoleRoleSufficient = (held: ConsoleRole | null, needed: ConsoleRole): boolean =>
  held !== null && consoleRoles.indexOf(held) >= consoleRoles.indexOf(needed);

/** The response of `GET /rest/v1/moderation/access`: the caller's role in the moderation console. */
export const consoleAccessSchema = z.object({ role: consoleRoleSchema });
