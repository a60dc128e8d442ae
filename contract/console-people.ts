import { z } from 'zod';
import { emailSchema } from './accounts.ts';
import { auditReasonSchema } from './audit.ts';
import { consoleRoleSchema, consoleRoles } from './console.ts';
import { maxSuspensionDays } from './moderation.ts';
import { createStorableTextSchema, idSchema, instantSchema } from './text.ts';

/** Number of people that the console lists per page. */
export const peoplePageSize = 30;
/** Maximum length of the text that administrators enter to search for people. */
export const maxPeopleQueryLength = 200;
/** Maximum number of sessions that the console lists for one person, most recent first. */
export const maxListedPersonSessions = 50;

export const peopleQuerySchema = z.object({
  /** The search text: a part of the name or of the email address, or an id. */
  q: createStorableTextSchema('Please search for something shorter', maxPeopleQueryLength).optional(),
  cursor: z.string().max(200).optional(),
});

/** An account as the console shows it in a list. */
export const consolePersonSchema = z.object({
  id: idSchema,
  email: z.string(),
  full_name: z.string().nullable(),
  /** The verified campus email address of a person who logs in with another address, or null otherwise. */
  campus_email: z.string().nullable(),
  usc_verified: z.boolean(),
  /** The first day without the membership of the campus, while it ends. */
  membership_ends_on: z.iso.date().nullable(),
  membership_ended_at: instantSchema.nullable(),
  console_role: consoleRoleSchema.nullable(),
  has_second_factor: z.boolean(),
  created_at: instantSchema,
  /** When the person confirmed the email address, or null until then. */
  confirmed_at: instantSchema.nullable(),
  suspended_at: instantSchema.nullable(),
  /** When the suspension ends by itself, or null if it lasts until an administrator lifts it. */
  suspended_until: instantSchema.nullable(),
  /** Number of the account's sessions. `last_used_at` is the time of the latest use of any of them. */
  sessions: z.int(),
  last_used_at: instantSchema.nullable(),
  /**
   * Number of the account's published listings. `hidden` is the number of listings that moderators have
   * hidden.
   */
  published: z.int(),
  hidden: z.int(),
});
export type ConsolePerson = z.infer<typeof consolePersonSchema>;

export const peoplePageSchema = z.object({
  items: z.array(consolePersonSchema),
  next_cursor: z.string().nullable(),
});

/** An account with its most recent sessions. */
export const consolePersonDetailSchema = consolePersonSchema.extend({
  session_list: z.array(
    z.object({
      id: idSchema,
      /** Browser and system that logged in, or null for sessions that began before this was recorded. */
      device_name: z.string().nullable(),
      created_at: instantSchema,
      last_used_at: instantSchema,
    }),
  ),
});
export type ConsolePersonDetail = z.infer<typeof consolePersonDetailSchema>;

/** Actions on an account that have no parameters other than a reason. */
export const parameterlessPersonActions = [
  'confirm',
  'verify',
  'remove_badge',
  'end_sessions',
  'lift',
  'send_reset_link',
  'remove_second_factor',
] as const;
export type ParameterlessPersonAction = (typeof parameterlessPersonActions)[number];

/**
 * Body of POST /rest/v1/moderation/people/{id}/actions: an action that an administrator takes on an account.
 */
export const personActionSchema = z.discriminatedUnion('action', [
  z.object({ action: z.enum(parameterlessPersonActions), reason: auditReasonSchema }),
  z.object({
    action: z.literal('suspend'),
    /**
     * Number of days after which the suspension ends by itself, or null if it lasts until an administrator
     * lifts it.
     */
    days: z.int().min(1).max(maxSuspensionDays).nullable(),
    /** The reason for the suspension, which is emailed to the person. */
    reason: auditReasonSchema,
  }),
  z.object({
    action: z.literal('set_role'),
    role: z.enum(['user', ...consoleRoles]),
    reason: auditReasonSchema,
  }),
]);
export type PersonAction = z.infer<typeof personActionSchema>;

/** Body of POST /rest/v1/moderation/people, which creates an account. */
export const newPersonSchema = z.object({ email: emailSchema, reason: auditReasonSchema });

/** Body of DELETE /rest/v1/moderation/people/{id}, which deletes an account. */
export const personDeletionSchema = z.object({
  /** The email address of the account, which the administrator types to confirm the deletion. */
  email: emailSchema,
  /**
   * The submitted form in which the person asked for the deletion; deleting the account marks the form as
   * done.
   */
  form_id: idSchema.optional(),
  reason: auditReasonSchema,
});
