import { z } from 'zod';
import { auditReasonSchema } from './audit.ts';
import { createParagraphSchema, idSchema, instantSchema } from './text.ts';

/** Number of submitted forms that the console shows per page. */
export const submittedFormPageSize = 30;
/** Maximum number of replies that administrators can send to one submitted form. */
export const maxFormReplies = 20;
/** Maximum number of fields that a submitted form can have. */
export const maxFormFields = 10;
export const maxFormReplyLength = 4000;

export const submittedFormKinds = ['contact', 'application', 'deletion-request', 'report'] as const;
export const submittedFormStates = ['open', 'done', 'all'] as const;

export const submittedFormQuerySchema = z.object({
  kind: z.enum(submittedFormKinds).optional(),
  state: z.enum(submittedFormStates).default('open'),
  /** The `next_cursor` of the previous page of submitted forms. */
  cursor: idSchema.optional(),
});

/** A submitted form as the console shows it in a list. */
export const consoleFormSchema = z.object({
  id: idSchema,
  kind: z.enum(submittedFormKinds),
  /**
   * The topic of a contact form, the subject of a report or the job opening of an application. Empty for a
   * data deletion request.
   */
  title: z.string(),
  /**
   * The email address to which replies are sent: the one entered in the form, or else the one of the sender's
   * account. Null when there is neither.
   */
  email: z.string().nullable(),
  created_at: instantSchema,
  done_at: instantSchema.nullable(),
});
export type ConsoleForm = z.infer<typeof consoleFormSchema>;

export const submittedFormPageSchema = z.object({
  items: z.array(consoleFormSchema),
  next_cursor: z.string().nullable(),
});

const accountSchema = z.object({ id: idSchema, email: z.string() });

export const consoleFormDetailSchema = consoleFormSchema.extend({
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  resume: z.object({ name: z.string(), bytes: z.int() }).nullable(),
  /** The account that was signed in when the form was sent, or null for a visitor. */
  sender: accountSchema.nullable(),
  /**
   * The account whose log-in address or verified campus address was entered in the form, with its log-in address.
   * The sender may have entered somebody else's address, unless `sender` is the same account.
   */
  named_account: accountSchema.nullable(),
  answers: z.array(
    z.object({
      id: idSchema,
      text: z.string(),
      /** Name of the administrator who wrote the reply, or null after their account was deleted. */
      author: z.string().nullable(),
      created_at: instantSchema,
    }),
  ),
});
export type ConsoleFormDetail = z.infer<typeof consoleFormDetailSchema>;

/** Body of PATCH /rest/v1/moderation/forms/{id}, which marks a submitted form as done or reopens it. */
export const submittedFormChangeSchema = z.object({ done: z.boolean(), reason: auditReasonSchema });

export const formReplyErrorMessages = {
  text: 'Please enter your answer',
  textLong: `An answer has at most ${maxFormReplyLength} characters`,
} as const;

export const formReplyTextSchema = createParagraphSchema({
  required: formReplyErrorMessages.text,
  min: { length: 1, sentence: formReplyErrorMessages.text },
  max: { length: maxFormReplyLength, sentence: formReplyErrorMessages.textLong },
});

/**
 * Body of POST /rest/v1/moderation/forms/{id}/answers. `id` is an idempotency key: repeating a request
 * neither stores nor sends the reply again.
 */
export const formReplySchema = z.object({
  id: idSchema,
  text: formReplyTextSchema,
  reason: auditReasonSchema.default('Answered the form'),
});
