import { type Announcement, announcementFormSchema } from '#contract/announcements.ts';
import { createFieldProblem, toFieldErrors } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import {
  type AnnouncementRow,
  deleteAnnouncement,
  findAnnouncement,
  storeAnnouncement,
} from './repository.ts';

interface AnnouncementDeps {
  sql: Sql;
  bus: Pick<Bus, 'publish'>;
  audit: Pick<AuditTrail, 'note'>;
}

const presentAnnouncement = (row: AnnouncementRow | undefined): Announcement | null =>
  row ? { text: row.text, begins_at: row.begins_at.toISOString(), ends_at: row.ends_at.toISOString() } : null;

/** Creates the service with which administrators show an announcement on all pages. */
export const createAnnouncementAdministrationService = ({ sql, bus, audit }: AnnouncementDeps) => {
  const find = async (): Promise<Announcement | null> => presentAnnouncement(await findAnnouncement(sql));

  return {
    /** Returns the announcement, whether or not it is shown now, or null when there is none. */
    find,

    /**
     * Stores a new announcement, which replaces the previous one. Throws validation_failed when the
     * announcement is invalid.
     */
    set: async (given: Announcement): Promise<Announcement | null> => {
      const { data, error } = announcementFormSchema.safeParse(given);
      if (!data) throw createFieldProblem(toFieldErrors(error));
      await runInTransaction(sql, async (tx) => {
        await storeAnnouncement(tx, {
          text: data.text,
          begins_at: new Date(data.begins_at),
          ends_at: new Date(data.ends_at),
        });
        await audit.note({ event: 'announcement_changed', detail: data.text }, tx);
      });
      await bus.publish({ kind: 'announcement_changed' });
      return find();
    },

    /** Removes the announcement from all pages; does nothing when there is none. */
    remove: async (): Promise<null> => {
      await runInTransaction(sql, async (tx) => {
        if (await deleteAnnouncement(tx)) await audit.note({ event: 'announcement_removed' }, tx);
      });
      await bus.publish({ kind: 'announcement_changed' });
      return null;
    },
  };
};

export type AnnouncementAdministrationService = ReturnType<typeof createAnnouncementAdministrationService>;
