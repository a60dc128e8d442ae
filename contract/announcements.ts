import { z } from 'zod';
import { instantSchema, singleLineTextSchema } from './text.ts';

export const announcementErrorMessages = {
  text: 'An announcement has 1 to 300 characters',
  time: 'Please enter a date and time',
  order: 'The end must be after the beginning',
} as const;

/** The announcement on top of all pages, and when it is shown. */
export const announcementSchema = z.object({
  text: z.string(),
  begins_at: instantSchema,
  ends_at: instantSchema,
});
export type Announcement = z.infer<typeof announcementSchema>;

/** What an administrator enters about an announcement. */
export const announcementFormSchema = z
  .object({
    text: singleLineTextSchema({
      required: announcementErrorMessages.text,
      min: { length: 1, sentence: announcementErrorMessages.text },
      max: { length: 300, sentence: announcementErrorMessages.text },
    }),
    begins_at: z.iso.datetime({ error: announcementErrorMessages.time }),
    ends_at: z.iso.datetime({ error: announcementErrorMessages.time }),
  })
  .refine(({ begins_at, ends_at }) => new Date(begins_at) < new Date(ends_at), {
    path: ['ends_at'],
    error: announcementErrorMessages.order,
  });

/** The announcement that pages show at a moment, and when that changes if nobody changes it. */
export interface AnnouncementState {
  current: Pick<Announcement, 'text' | 'ends_at'> | null;
  /** When the announcement begins or ends; null when neither lies ahead. */
  changes_at: string | null;
}
