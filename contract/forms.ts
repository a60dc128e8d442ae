import { z } from 'zod';
import { emailAddress } from './accounts.ts';
import { type Campus, isCampusAddress } from './campus.ts';
import { campusEmailHint, contactTopics, openings } from './form-choices.ts';
import { line, paragraph } from './text.ts';

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

const nameSchema = line({
  required: formSentences.name,
  min: { length: 1, sentence: formSentences.name },
  max: { length: 100, sentence: formSentences.nameLong },
});

/** §5: e-mail fields of the forms must end in the campus domain. */
const campusEmailSchema = (campus: Campus) =>
  emailAddress(campusEmailHint(campus)).refine(
    (email) => isCampusAddress(campus, email),
    campusEmailHint(campus),
  );

/** Report a Concern; Report Listing uses it with the link prefilled. */
export const reportSchema = z.object({
  subject: line({
    required: formSentences.subject,
    min: { length: 1, sentence: formSentences.subject },
    max: { length: 120, sentence: formSentences.subjectLong },
  }),
  details: paragraph({
    required: formSentences.details,
    min: { length: 1, sentence: formSentences.details },
    max: { length: 4000, sentence: formSentences.detailsLong },
  }),
  item_link: line({
    required: formSentences.itemLinkLong,
    max: { length: 500, sentence: formSentences.itemLinkLong },
  }).optional(),
});
export type Report = z.output<typeof reportSchema>;

/** The contact form, for a campus. */
export const contactSchema = (campus: Campus) =>
  z.object({
    name: nameSchema,
    email: campusEmailSchema(campus),
    topic: z.enum(contactTopics, { error: formSentences.topic }),
    message: paragraph({
      required: formSentences.message,
      min: { length: 1, sentence: formSentences.message },
      max: { length: 4000, sentence: formSentences.messageLong },
    }),
  });
export type Contact = z.output<ReturnType<typeof contactSchema>>;

/** An application for a job opening, optionally with a resume, for a campus. */
export const applicationSchema = (campus: Campus) =>
  z.object({
    opening: z.enum(openings, { error: formSentences.opening }),
    name: nameSchema,
    email: campusEmailSchema(campus),
  });
export type Application = z.output<ReturnType<typeof applicationSchema>>;

/** Request Data Deletion, for a campus. */
export const deletionRequestSchema = (campus: Campus) => z.object({ email: campusEmailSchema(campus) });
export type DeletionRequest = z.output<ReturnType<typeof deletionRequestSchema>>;

/** The path for applications, sent as multipart: the fields first, then the optional file `resume`. */
export const applicationPath = '/rest/v1/forms/application';
