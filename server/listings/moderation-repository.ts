import type { Category } from '#contract/categories.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

/** A listing as administrators see it. */
export interface ModeratedListing {
  id: string;
  slug: string;
  user_id: string;
  owner_email: string;
  owner_suspended: boolean;
  title: string | null;
  category: Category | null;
  status: 'published' | 'draft';
  hidden_at: Date | null;
  hidden_with: 'listing' | 'account' | null;
  hidden_reason: string | null;
}

/** Finds a listing by id or slug and locks it until the transaction ends. */
export const findForModeration = async (
  tx: Queryable,
  name: string,
): Promise<ModeratedListing | undefined> => {
  const [row] = await tx<ModeratedListing[]>`
    SELECT l.id, l.slug, l.user_id, u.email AS owner_email, c.suspended_at IS NOT NULL AS owner_suspended, l.title,
      l.category, l.status, l.hidden_at, l.hidden_with, l.hidden_reason
    FROM listings l JOIN users u ON u.id = l.user_id JOIN private.credentials c ON c.user_id = u.id
    WHERE l.id::text = ${name} OR l.slug = ${name} FOR NO KEY UPDATE OF l`;
  return row;
};

export const hide = async (
  tx: Queryable,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<void> => {
  await tx`
    UPDATE listings SET status = 'draft', hidden_at = ${now}, hidden_with = 'listing', hidden_reason = ${reason},
      updated_at = ${now}
    WHERE id = ${id}`;
};

/** Removes the marks of a take-down from a listing; it stays a draft. */
export const show = async (tx: Queryable, { id, now }: { id: string; now: Date }): Promise<void> => {
  await tx`
    UPDATE listings SET hidden_at = NULL, hidden_with = NULL, hidden_reason = NULL, updated_at = ${now}
    WHERE id = ${id}`;
};

export const publishAgain = async (tx: Queryable, { id, now }: { id: string; now: Date }): Promise<void> => {
  await tx`UPDATE listings SET status = 'published', updated_at = ${now} WHERE id = ${id}`;
};

/** Hides all published listings of a person. Listings taken down earlier keep their reason. */
export const hideAllOf = async (
  tx: Queryable,
  { userId, now }: { userId: string; now: Date },
): Promise<void> => {
  await tx`
    UPDATE listings SET status = 'draft', hidden_at = ${now}, hidden_with = 'account'
    WHERE user_id = ${userId} AND status = 'published'`;
};

/** Publishes all listings that were hidden because their owner was suspended. */
export const showAllOf = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`
    UPDATE listings SET status = 'published', hidden_at = NULL, hidden_with = NULL
    WHERE user_id = ${userId} AND hidden_with = 'account'`;
};
