import { z } from 'zod';
import { formErrorMessages } from './forms.ts';
import { createParagraphSchema, idSchema, instantSchema } from './text.ts';

/** The objects that people can report to the moderators. */
export const reportSubjectTypes = ['listing', 'user', 'message', 'wanted'] as const;
export type ReportSubjectType = (typeof reportSubjectTypes)[number];

/** The reasons for a report, in the order in which the form lists them. */
export const reportReasons = ['prohibited', 'scam', 'spam', 'harassment', 'impersonation', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

/** A report of a message also quotes up to this many messages before it, and up to this many after it. */
export const quotedMessagesPerSide = 5;

export const reportErrorMessages = { reason: 'Please select a reason' } as const;

/** Body of POST /rest/v1/reports, which reports something to the moderators. */
export const newReportSchema = z.object({
  subject: z.enum(reportSubjectTypes),
  subject_id: idSchema,
  /**
   * The `seq` of the last message that the reporter saw with a reported message. The report quotes none after it, except
   * the reported one.
   */
  until_seq: z.int().min(1).optional(),
  reason: z.enum(reportReasons, { error: reportErrorMessages.reason }),
  text: createParagraphSchema({
    required: formErrorMessages.detailsLong,
    max: { length: 4000, sentence: formErrorMessages.detailsLong },
  }).default(''),
});
export type NewReport = z.output<typeof newReportSchema>;

/** The response to a report. Reporting the same subject again returns the first one until it is decided. */
export const reportReceiptSchema = z.object({ id: idSchema, created_at: instantSchema });
export type ReportReceipt = z.output<typeof reportReceiptSchema>;
