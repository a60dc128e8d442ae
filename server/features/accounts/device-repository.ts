import type { Queryable } from '#server/platform/postgres/database.ts';
import { identifier } from '#server/platform/postgres/sql-fragments.ts';

export const isKnownDevice = async (sql: Queryable, hash: Buffer, email: string): Promise<boolean> => {
  const rows = await sql`
    SELECT 1 FROM private.known_devices d JOIN users u ON u.id = d.user_id
    WHERE d.device_hash = ${hash} AND u.email = ${email}`;
  return rows.length > 0;
};

/** Finds the account that most recently logged in on a device. */
export const findDeviceOwner = async (sql: Queryable, hash: Buffer): Promise<string | undefined> => {
  const [device] = await sql<{ user_id: string }[]>`
    SELECT user_id FROM private.known_devices WHERE device_hash = ${hash} ORDER BY last_used_at DESC LIMIT 1`;
  return device?.user_id;
};

/**
 * The daily budgets of a known device for an account: failed log-ins, and requests for codes and
 * links.
 */
export type DeviceBudgetName = 'failures' | 'requests';

const budgetColumns = { failures: 'day_failures', requests: 'day_requests' } as const;

/**
 * Counts one use of a daily budget. Returns false, without counting, when the budget is used up or the device is
 * unknown.
 */
export const consumeDeviceBudget = async (
  sql: Queryable,
  use: { hash: Buffer; email: string; budget: DeviceBudgetName; now: Date; dayAgo: Date; atMost: number },
): Promise<boolean> => {
  const { budget, dayAgo } = use;
  const { count } = await sql`
    UPDATE private.known_devices d SET
      day_failures = CASE WHEN d.day_started <= ${dayAgo} THEN 0 ELSE d.day_failures END
        + ${budget === 'failures' ? 1 : 0},
      day_requests = CASE WHEN d.day_started <= ${dayAgo} THEN 0 ELSE d.day_requests END
        + ${budget === 'requests' ? 1 : 0},
      day_started = CASE WHEN d.day_started <= ${dayAgo} THEN ${use.now} ELSE d.day_started END
    FROM users u
    WHERE u.id = d.user_id AND u.email = ${use.email} AND d.device_hash = ${use.hash}
      AND (d.day_started <= ${dayAgo} OR d.${identifier(budgetColumns[budget])} < ${use.atMost})`;
  return count > 0;
};

export const refundDeviceBudget = async (
  sql: Queryable,
  { hash, email, budget }: { hash: Buffer; email: string; budget: DeviceBudgetName },
): Promise<void> => {
  const column = identifier(budgetColumns[budget]);
  await sql`
    UPDATE private.known_devices d SET ${column} = greatest(0, d.${column} - 1)
    FROM users u WHERE u.id = d.user_id AND u.email = ${email} AND d.device_hash = ${hash}`;
};

/**
 * Records a successful log-in and refunds the failure that was counted before the attempt. Returns
 * false and changes nothing when the device is not known for the account.
 */
export const recordDeviceLogIn = async (
  sql: Queryable,
  device: { hash: Buffer; userId: string; now: Date },
): Promise<boolean> => {
  const { count } = await sql`
    UPDATE private.known_devices SET last_used_at = ${device.now}, day_failures = greatest(0, day_failures - 1)
    WHERE device_hash = ${device.hash} AND user_id = ${device.userId}`;
  return count > 0;
};

/** Replaces the id of a device in all accounts for which it is a known device. */
export const replaceDeviceId = async (sql: Queryable, from: Buffer, to: Buffer): Promise<void> => {
  await sql`UPDATE private.known_devices SET device_hash = ${to} WHERE device_hash = ${from}`;
};

/** Adds a device to an account and deletes the account's least recently used devices beyond `atMost`. */
export const insertDevice = async (
  sql: Queryable,
  device: { hash: Buffer; userId: string; now: Date; atMost: number },
): Promise<void> => {
  await sql`
    INSERT INTO private.known_devices (device_hash, user_id, first_used_at, last_used_at, day_started)
    VALUES (${device.hash}, ${device.userId}, ${device.now}, ${device.now}, ${device.now})`;
  await sql`
    DELETE FROM private.known_devices WHERE id IN (
      SELECT id FROM private.known_devices WHERE user_id = ${device.userId}
      ORDER BY last_used_at DESC, id DESC OFFSET ${device.atMost})`;
};

/**
 * Returns whether a confirmed account needs a second factor to log in, or undefined when there is no such account.
 */
export const isSecondFactorNeeded = async (sql: Queryable, userId: string): Promise<boolean | undefined> => {
  const [account] = await sql<{ needed: boolean }[]>`
    SELECT EXISTS (SELECT FROM private.second_factors f
      WHERE f.user_id = c.user_id AND f.kind = 'totp' AND f.verified_at IS NOT NULL) AS needed
    FROM private.credentials c WHERE c.user_id = ${userId} AND c.confirmed_at IS NOT NULL`;
  return account?.needed;
};

/** Deletes all devices of an account except the given one. */
export const deleteOtherDevices = async (
  sql: Queryable,
  userId: string,
  kept: Buffer | undefined,
): Promise<void> => {
  await sql`
    DELETE FROM private.known_devices
    WHERE user_id = ${userId} AND device_hash IS DISTINCT FROM ${kept ?? null}`;
};
