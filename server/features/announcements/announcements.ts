import { type Announcement, announcementFormSchema } from '#contract/announcements.ts';
import { createFieldProblem, toFieldErrors } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import {
  type AnnouncementRow,
  deleteAnnouncement,
  findAnnouncement,
  storeAnnouncement,
} from './repository.ts';

const presentAnnouncement = (row: AnnouncementRow | undefined): Announcement | null =>
  row ? { text: row.text, begins_at: row.begins_at.toISOString(), ends_at: row.ends_at.toISOString() } : null;

/** Returns the announcement, whether or not it is shown now, or null when there is none. */
export const findStoredAnnouncement = async (app: App): Promise<Announcement | null> =>
  presentAnnouncement(await findAnnouncement(app.sql));

/**
 * Stores a new announcement for all pages, which replaces the previous one. Throws validation_failed when the
 * announcement is invalid.
 */
export const setAnnouncement = async (app: App, given: Announcement): Promise<Announcement | null> => {
  const { data, error } = announcementFormSchema.safeParse(given);
  if (!data) throw createFieldProblem(toFieldErrors(error));
  await runInTransaction(app.sql, async (tx) => {
    await storeAnnouncement(tx, {
      text: data.text,
      begins_at: new Date(data.begins_at),
      ends_at: new Date(data.ends_at),
    });
    await noteSecurityEvent(app, { event: 'announcement_changed', detail: data.text }, tx);
  });
  await app.bus.publish({ kind: 'announcement_changed' });
  return findStoredAnnouncement(app);
};

/** Removes the announcement from all pages; does nothing when there is none. */
export const removeAnnouncement = async (app: App): Promise<null> => {
  await runInTransaction(app.sql, async (tx) => {
    if (await deleteAnnouncement(tx)) await noteSecurityEvent(app, { event: 'announcement_removed' }, tx);
  });
  await app.bus.publish({ kind: 'announcement_changed' });
  return null;
};
