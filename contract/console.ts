import { z } from 'zod';

/** The roles of people who may use the console, from the least to the most powerful. */
export const consoleRoles = ['moderator', 'administrator'] as const;
export const consoleRoleSchema = z.enum(consoleRoles);
export type ConsoleRole = z.infer<typeof consoleRoleSchema>;

/** Returns whether an access value of the call table is a role in the console. */
export const isConsoleRole = (access: string): access is ConsoleRole =>
  consoleRoles.some((role) => role === access);

/** Returns whether a person with the role `held` may do what needs the role `needed`. */
export const includesConsoleRole = (held: ConsoleRole | null, needed: ConsoleRole): boolean =>
  held !== null && consoleRoles.indexOf(held) >= consoleRoles.indexOf(needed);

/** The body of the response of `GET /rest/v1/moderation/access`. */
export const consoleAccessSchema = z.object({ role: consoleRoleSchema });
