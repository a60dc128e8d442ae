import { z } from 'zod';
import { emailSchema } from './accounts.ts';
import { reasonSchema } from './audit.ts';
import { consoleRoleSchema, consoleRoles } from './console.ts';
import { maxSuspensionDays } from './moderation.ts';
import { idSchema, instantSchema } from './text.ts';

/** Number of people on a page of the console. */
export const peoplePageSize = 30;
/** Maximum length of a text by which people are found. */
export const maxPeopleQueryLength = 200;
/** Maximum number of sessions of a person that the console lists, the latest first. */
export const maxPersonSessions = 50;

export const peopleQuerySchema = z.object({
  /** A part of the name or the email address, or an id. */
  q: z.string().max(maxPeopleQueryLength).optional(),
  cursor: z.string().max(200).optional(),
});

/** An account as administrators see it in a list. */
export const consolePersonSchema = z.object({
  id: idSchema,
  email: z.string(),
  full_name: z.string().nullable(),
  /** The verified campus email address, if it is not the log-in address. */
  campus_email: z.string().nullable(),
  usc_verified: z.boolean(),
  console_role: consoleRoleSchema.nullable(),
  has_second_factor: z.boolean(),
  created_at: instantSchema,
  /** Null until the person has confirmed the email address. */
  confirmed_at: instantSchema.nullable(),
  suspended_at: instantSchema.nullable(),
  /** When the suspension ends by itself; null if only an administrator lifts it. */
  suspended_until: instantSchema.nullable(),
  /** Number of sessions, and when one of them was last used. */
  sessions: z.int(),
  last_used_at: instantSchema.nullable(),
  /** Number of published listings, and of listings that moderators hid. */
  published: z.int(),
  hidden: z.int(),
});
export type ConsolePerson = z.infer<typeof consolePersonSchema>;

export const peoplePageSchema = z.object({
  items: z.array(consolePersonSchema),
  next_cursor: z.string().nullable(),
});

/** An account with its latest sessions. */
export const consolePersonDetailSchema = consolePersonSchema.extend({
  session_list: z.array(
    z.object({
      id: idSchema,
      /** Browser and system of the log-in; null for sessions of earlier versions. */
      device_name: z.string().nullable(),
      created_at: instantSchema,
      last_used_at: instantSchema,
    }),
  ),
});
export type ConsolePersonDetail = z.infer<typeof consolePersonDetailSchema>;

/** Actions on an account that need nothing but a reason. */
export const simplePersonActions = [
  'confirm',
  'verify',
  'remove_badge',
  'end_sessions',
  'lift',
  'send_reset_link',
  'remove_second_factor',
] as const;
export type SimplePersonAction = (typeof simplePersonActions)[number];

/** Body of POST /rest/v1/moderation/people/{id}/actions. */
export const personActionSchema = z.discriminatedUnion('action', [
  z.object({ action: z.enum(simplePersonActions), reason: reasonSchema }),
  z.object({
    action: z.literal('suspend'),
    /** Number of days after which the suspension ends by itself; null if only an administrator can lift it. */
    days: z.int().min(1).max(maxSuspensionDays).nullable(),
    /** The person is told it by email. */
    reason: reasonSchema,
  }),
  z.object({ action: z.literal('set_role'), role: z.enum(['user', ...consoleRoles]), reason: reasonSchema }),
]);
export type PersonAction = z.infer<typeof personActionSchema>;

/** Body of POST /rest/v1/moderation/people: an account to create. */
export const newPersonSchema = z.object({ email: emailSchema, reason: reasonSchema });

/** Body of DELETE /rest/v1/moderation/people/{id}. */
export const personDeletionSchema = z.object({
  /** The email address of the account, typed to confirm the deletion. */
  email: emailSchema,
  /** The deletion request that asks for it, which is marked as done with the deletion. */
  form_id: idSchema.optional(),
  reason: reasonSchema,
});
