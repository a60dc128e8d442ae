import { z } from 'zod';
import { announcementFormSchema, announcementSchema } from './announcements.ts';
import { auditReasonBodySchema } from './audit.ts';
import { meetingSpotFactsSchema, meetingSpotSchema } from './meeting-spots.ts';
import { instantSchema } from './text.ts';

/** A meeting spot as administrators see it, including facts that are not confirmed yet. */
export const consoleMeetingSpotSchema = meetingSpotSchema.extend({ confirmed_at: instantSchema.nullable() });
export type ConsoleMeetingSpot = z.infer<typeof consoleMeetingSpotSchema>;

export const consoleMeetingSpotListSchema = z.object({ items: z.array(consoleMeetingSpotSchema) });
export const newMeetingSpotSchema = meetingSpotFactsSchema.extend(auditReasonBodySchema.shape);
export const meetingSpotChangeSchema = meetingSpotFactsSchema.partial().extend(auditReasonBodySchema.shape);

export const consoleAnnouncementSchema = z.object({ announcement: announcementSchema.nullable() });
export const announcementChangeSchema = announcementFormSchema.and(auditReasonBodySchema);

/** Numbers of accounts and listings of the demo campus in the database; zero when there is no demo campus. */
export const demoDataCountsSchema = z.object({ accounts: z.int(), listings: z.int() });
export const demoRemovalSchema = z.object({
  accounts: z.int(),
  listings: z.int(),
  conversations: z.int(),
  photos: z.int(),
});
