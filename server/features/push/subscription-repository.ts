import type { PushSubscriptionBody } from '#contract/push.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export type PushSubscriptionRow = Pick<
  Tables['push_subscriptions'],
  'id' | 'session_id' | 'device_name' | 'created_at' | 'used_at'
>;

/** Lists a person's browsers, latest first. */
export const listPushSubscriptions = (
  sql: Queryable,
  userId: string,
  limit: number,
): Promise<readonly PushSubscriptionRow[]> => sql<PushSubscriptionRow[]>`
  SELECT id, session_id, device_name, created_at, used_at FROM private.push_subscriptions
  WHERE user_id = ${userId} ORDER BY created_at DESC, id LIMIT ${limit}`;

/** A push subscription to store, with the session and the browser that it belongs to. */
export interface NewPushSubscription extends PushSubscriptionBody {
  userId: string;
  sessionId: string;
  deviceName: string;
  now: Date;
}

/**
 * Stores the push subscription of a session. It replaces any earlier subscription of the session, and the
 * subscription of any other session in the same browser. Returns undefined when the session has ended.
 */
export const replacePushSubscription = async (
  tx: Queryable,
  { userId, sessionId, endpoint, keys, deviceName, now }: NewPushSubscription,
): Promise<PushSubscriptionRow | undefined> => {
  // Lock the session, so that concurrent calls for the same session run one after the other.
  const sessions = await tx`
    SELECT FROM private.sessions WHERE id = ${sessionId} AND user_id = ${userId} FOR NO KEY UPDATE`;
  if (sessions.length === 0) return undefined;
  await tx`DELETE FROM private.push_subscriptions WHERE endpoint = ${endpoint} AND session_id <> ${sessionId}`;
  const [row] = await tx<PushSubscriptionRow[]>`
    INSERT INTO private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, device_name, created_at)
    VALUES (${userId}, ${sessionId}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${deviceName}, ${now})
    ON CONFLICT (session_id) DO UPDATE SET endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth,
      device_name = excluded.device_name
    RETURNING id, session_id, device_name, created_at, used_at`;
  return row;
};

/**
 * Removes the least recently used of a person's push subscriptions, so that at most `limit` remain. Never
 * removes the subscription with this id.
 */
export const removeSurplusSubscriptions = async (
  tx: Queryable,
  { userId, id, limit }: { userId: string; id: string; limit: number },
): Promise<void> => {
  await tx`
    DELETE FROM private.push_subscriptions WHERE id IN (
      SELECT id FROM private.push_subscriptions WHERE user_id = ${userId}
      ORDER BY id = ${id} DESC, coalesce(used_at, created_at) DESC OFFSET ${limit})`;
};

/**
 * Removes the person's push subscription with this id or, if `id` is undefined, the push subscription of the
 * session.
 */
export const removePushSubscription = async (
  sql: Queryable,
  { userId, id, sessionId }: { userId: string; id: string | undefined; sessionId: string },
): Promise<void> => {
  await sql`
    DELETE FROM private.push_subscriptions
    WHERE user_id = ${userId} AND ${id === undefined ? fragment`session_id = ${sessionId}` : fragment`id = ${id}`}`;
};

/** Removes a push subscription that has expired, unless the browser has subscribed again with another endpoint. */
export const removeExpiredPushSubscription = async (
  sql: Queryable,
  { id, endpoint }: { id: string; endpoint: string },
): Promise<void> => {
  await sql`DELETE FROM private.push_subscriptions WHERE id = ${id} AND endpoint = ${endpoint}`;
};

/** Records the time at which a push notification was sent to a browser. */
export const recordPushSent = async (sql: Queryable, id: string, now: Date): Promise<void> => {
  await sql`UPDATE private.push_subscriptions SET used_at = ${now} WHERE id = ${id}`;
};

/** Removes the push subscriptions of all people, for a copy of the database that must notify nobody. */
export const removeAllPushSubscriptions = async (sql: Queryable): Promise<void> => {
  await sql`DELETE FROM private.push_subscriptions`;
};
