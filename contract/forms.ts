import { z } from 'zod';
import { createEmailSchema } from './accounts.ts';
import { type Campus, isCampusEmail } from './campus.ts';
import { contactTopics, formatCampusEmailHint, jobOpenings } from './form-choices.ts';
import { createParagraphSchema, createSingleLineTextSchema, idSchema } from './text.ts';

export const formErrorMessages = {
  name: 'Please enter your name',
  nameLong: 'Name must be at most 100 characters',
  topic: 'Please select a topic',
  message: 'Please enter your message',
  messageLong: 'Message must be at most 4000 characters',
  subject: 'Please enter a subject',
  subjectLong: 'Subject must be at most 120 characters',
  details: 'Please enter the details',
  detailsLong: 'Details must be at most 4000 characters',
  itemLinkLong: 'Item link must be at most 500 characters',
  opening: 'Please select an opening',
} as const;

const nameSchema = createSingleLineTextSchema({
  required: formErrorMessages.name,
  min: { length: 1, sentence: formErrorMessages.name },
  max: { length: 100, sentence: formErrorMessages.nameLong },
});

/** Returns the schema of a form's email field, which accepts only addresses of the campus (specification §5). */
const campusEmailSchema = (campus: Campus) =>
  createEmailSchema(formatCampusEmailHint(campus)).refine(
    (email) => isCampusEmail(campus, email),
    formatCampusEmailHint(campus),
  );

/**
 * Fields of the form "Report a Concern". The dialog "Report Listing" is the same form, with the link to the
 * listing filled in.
 */
export const concernReportSchema = z.object({
  subject: createSingleLineTextSchema({
    required: formErrorMessages.subject,
    min: { length: 1, sentence: formErrorMessages.subject },
    max: { length: 120, sentence: formErrorMessages.subjectLong },
  }),
  details: createParagraphSchema({
    required: formErrorMessages.details,
    min: { length: 1, sentence: formErrorMessages.details },
    max: { length: 4000, sentence: formErrorMessages.detailsLong },
  }),
  item_link: createSingleLineTextSchema({
    required: formErrorMessages.itemLinkLong,
    max: { length: 500, sentence: formErrorMessages.itemLinkLong },
  }).optional(),
});
export type ConcernReport = z.output<typeof concernReportSchema>;

/** Returns the schema of the contact form on this campus. */
export const createContactFormSchema = (campus: Campus) =>
  z.object({
    name: nameSchema,
    email: campusEmailSchema(campus),
    topic: z.enum(contactTopics, { error: formErrorMessages.topic }),
    message: createParagraphSchema({
      required: formErrorMessages.message,
      min: { length: 1, sentence: formErrorMessages.message },
      max: { length: 4000, sentence: formErrorMessages.messageLong },
    }),
  });
export type ContactSubmission = z.output<ReturnType<typeof createContactFormSchema>>;

/**
 * Returns the schema of the text fields of a job application. The resume is not part of the schema, because
 * it is uploaded as a file.
 */
export const createJobApplicationSchema = (campus: Campus) =>
  z.object({
    opening: z.enum(jobOpenings, { error: formErrorMessages.opening }),
    name: nameSchema,
    email: campusEmailSchema(campus),
  });
export type JobApplication = z.output<ReturnType<typeof createJobApplicationSchema>>;

/** Returns the schema of the form "Request Data Deletion". */
export const createDataDeletionRequestSchema = (campus: Campus) =>
  z.object({ email: campusEmailSchema(campus) });
export type DataDeletionRequest = z.output<ReturnType<typeof createDataDeletionRequestSchema>>;

/** Adds the optional id under which a form is stored and mailed only once, however often it is sent. */
export const withClientId = <Shape extends z.ZodRawShape>(form: z.ZodObject<Shape>) =>
  form.extend({ client_id: idSchema.optional() });

/**
 * Path to which job applications are sent as multipart/form-data: the text fields first, then the file
 * `resume`, which is optional.
 */
export const jobApplicationPath = '/rest/v1/forms/application';
