import { toConsoleAccessSql } from '#server/features/accounts/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import { toPublicPriceRecord } from './public-price.ts';

/** Returns whether there is an account other than the owner's that can decide about a held listing. */
export const hasModerators = async (tx: Queryable, ownerId: string): Promise<boolean> => {
  const rows = await tx`
    SELECT 1 FROM private.credentials c
    WHERE ${toConsoleAccessSql(fragment`c`)} AND c.user_id <> ${ownerId} LIMIT 1`;
  return rows.length > 0;
};

/** Holds a listing for review; only its owner and moderators see it from then on. */
export const holdListingForReview = async (tx: Queryable, id: string, now: Date): Promise<void> => {
  await tx`
    UPDATE listings SET status = 'in_review', held_at = ${now}, requested_changes = NULL, ended_at = NULL,
      paused_at = NULL, updated_at = ${now}
    WHERE id = ${id}`;
};

export const approveWording = async (tx: Queryable, id: string, now: Date): Promise<void> => {
  await tx`UPDATE listings SET wording_approved_at = ${now} WHERE id = ${id}`;
};

/**
 * Makes a listing a draft, with what its owner must change before it is published again. It stays a draft when a suspension
 * of its owner, with which it was hidden, ends.
 */
export const requestListingChanges = async (
  tx: Queryable,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<void> => {
  await tx`
    WITH ${toPublicPriceRecord(id, now)}
    UPDATE listings SET status = 'draft', held_at = NULL, requested_changes = ${reason}, updated_at = ${now},
      hidden_at = NULL, hidden_with = NULL, status_before_deletion = CASE WHEN deleted_at IS NOT NULL THEN 'draft' END
    WHERE id = ${id}`;
};
