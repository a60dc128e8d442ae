import { z } from 'zod';
import { createSingleLineTextSchema, instantSchema } from './text.ts';

export const announcementErrorMessages = {
  text: 'An announcement has 1 to 300 characters',
  time: 'Please enter a date and time',
  order: 'The end must be after the beginning',
} as const;

/** The announcement shown at the top of all pages between `begins_at` and `ends_at`. */
export const announcementSchema = z.object({
  text: z.string(),
  begins_at: instantSchema,
  ends_at: instantSchema,
});
export type Announcement = z.infer<typeof announcementSchema>;

/** The form in which an administrator writes the announcement and sets when it is shown. */
export const announcementFormSchema = z
  .object({
    text: createSingleLineTextSchema({
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

/**
 * The announcement that pages show at a given time (null if there is none), and the next time at which this
 * changes.
 */
export interface AnnouncementSchedule {
  current: Pick<Announcement, 'text' | 'ends_at'> | null;
  /** The next time at which an announcement appears or disappears, or null when no change is scheduled. */
  changes_at: string | null;
}
