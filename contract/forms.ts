import { z } from 'zod';
import { emailAddressSchema } from './accounts.ts';
import { type Campus, isCampusAddress } from './campus.ts';
import { campusEmailHint, contactTopics, jobOpenings } from './form-choices.ts';
import { lineSchema, paragraphSchema } from './text.ts';

export const formSentences = {
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

const nameSchema = lineSchema({
  required: formSentences.name,
  min: { length: 1, sentence: formSentences.name },
  max: { length: 100, sentence: formSentences.nameLong },
});

/** Returns the schema of a form's email field, which accepts only addresses of the campus (specification §5). */
const campusEmailSchema = (campus: Campus) =>
  emailAddressSchema(campusEmailHint(campus)).refine(
    (email) => isCampusAddress(campus, email),
    campusEmailHint(campus),
  );

/** The form "Report a Concern"; "Report Listing" opens the same form with the link filled in. */
export const reportSchema = z.object({
  subject: lineSchema({
    required: formSentences.subject,
    min: { length: 1, sentence: formSentences.subject },
    max: { length: 120, sentence: formSentences.subjectLong },
  }),
  details: paragraphSchema({
    required: formSentences.details,
    min: { length: 1, sentence: formSentences.details },
    max: { length: 4000, sentence: formSentences.detailsLong },
  }),
  item_link: lineSchema({
    required: formSentences.itemLinkLong,
    max: { length: 500, sentence: formSentences.itemLinkLong },
  }).optional(),
});
export type Report = z.output<typeof reportSchema>;

/** Returns the schema of the contact form. */
export const contactSchema = (campus: Campus) =>
  z.object({
    name: nameSchema,
    email: campusEmailSchema(campus),
    topic: z.enum(contactTopics, { error: formSentences.topic }),
    message: paragraphSchema({
      required: formSentences.message,
      min: { length: 1, sentence: formSentences.message },
      max: { length: 4000, sentence: formSentences.messageLong },
    }),
  });
export type Contact = z.output<ReturnType<typeof contactSchema>>;

/** Returns the schema of an application for a job opening; the resume is sent as a file and not part of it. */
export const applicationSchema = (campus: Campus) =>
  z.object({
    opening: z.enum(jobOpenings, { error: formSentences.opening }),
    name: nameSchema,
    email: campusEmailSchema(campus),
  });
export type Application = z.output<ReturnType<typeof applicationSchema>>;

/** Returns the schema of the form "Request Data Deletion". */
export const deletionRequestSchema = (campus: Campus) => z.object({ email: campusEmailSchema(campus) });
export type DeletionRequest = z.output<ReturnType<typeof deletionRequestSchema>>;

/** Path that receives applications as multipart/form-data: the fields first, then the optional file `resume`. */
export const applicationPath = '/rest/v1/forms/application';
