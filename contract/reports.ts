import { z } from 'zod';
import { formErrorMessages } from './forms.ts';
import { idSchema, instantSchema, paragraphSchema } from './text.ts';

/** What people can report. */
export const reportSubjects = ['listing', 'user', 'message'] as const;
export type ReportSubject = (typeof reportSubjects)[number];

/** Why something is reported, in the order of the form. */
export const reportReasons = ['prohibited', 'scam', 'spam', 'harassment', 'impersonation', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

/** Maximum number of messages that a report quotes before the reported message, and after it. */
export const quotedMessagesPerSide = 5;

export const reportErrorMessages = { reason: 'Please select a reason' } as const;

/** Body of POST /rest/v1/reports. */
export const newReportSchema = z.object({
  subject: z.enum(reportSubjects),
  subject_id: idSchema,
  reason: z.enum(reportReasons, { error: reportErrorMessages.reason }),
  text: paragraphSchema({
    required: formErrorMessages.detailsLong,
    max: { length: 4000, sentence: formErrorMessages.detailsLong },
  }).default(''),
});
export type NewReport = z.output<typeof newReportSchema>;

/** The response to a report. Reporting the same subject again returns the first report. */
export const reportReceiptSchema = z.object({ id: idSchema, created_at: instantSchema });
export type ReportReceipt = z.output<typeof reportReceiptSchema>;
