import type { Queryable } from '#server/platform/postgres/database.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export type VapidKeyRow = Pick<Tables['vapid_keys'], 'public_key' | 'sealed'>;

/** Finds the stored key pair; the latest one if there are several. */
export const findVapidKeyRow = async (sql: Queryable): Promise<VapidKeyRow | undefined> => {
  const [row] = await sql<VapidKeyRow[]>`
    SELECT public_key, sealed FROM private.vapid_keys ORDER BY created_at DESC LIMIT 1`;
  return row;
};

/** Prevents other processes from storing keys until the transaction ends. */
export const lockVapidKeys = async (tx: Queryable): Promise<void> => {
  await tx`LOCK TABLE private.vapid_keys IN SHARE ROW EXCLUSIVE MODE`;
};

/**
 * Replaces the stored key pair and removes all subscriptions, because browsers bind a subscription to the public key
 * with which it was created.
 */
export const replaceVapidKeyRow = async (
  tx: Queryable,
  { public_key, sealed }: VapidKeyRow,
  now: Date,
): Promise<void> => {
  await tx`DELETE FROM private.push_subscriptions`;
  await tx`DELETE FROM private.vapid_keys`;
  await tx`
    INSERT INTO private.vapid_keys (public_key, sealed, created_at) VALUES (${public_key}, ${sealed}, ${now})`;
};
