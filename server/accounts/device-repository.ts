import type { Queryable } from '#server/platform/postgres/database.ts';

export const isKnownDevice = async (sql: Queryable, hash: Buffer, email: string): Promise<boolean> => {
  const rows = await sql`
    SELECT 1 FROM private.known_devices d JOIN users u ON u.id = d.user_id
    WHERE d.device_hash = ${hash} AND u.email = ${email}`;
  return rows.length > 0;
};

/** Finds the account that used a device last. */
export const findDeviceOwner = async (sql: Queryable, hash: Buffer): Promise<string | undefined> => {
  const [device] = await sql<{ user_id: string }[]>`
    SELECT user_id FROM private.known_devices WHERE device_hash = ${hash} ORDER BY last_used_at DESC LIMIT 1`;
  return device?.user_id;
};

/** Budgets of a known device for its account, counted per day. */
export type DeviceBudget = 'failures' | 'requests';

const columns = { failures: 'day_failures', requests: 'day_requests' } as const;

/** Counts one use of a budget. Returns false, without counting, when it is used up or the device is unknown. */
export const consumeBudget = async (
  sql: Queryable,
  use: { hash: Buffer; email: string; budget: DeviceBudget; now: Date; dayAgo: Date; atMost: number },
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
      AND (d.day_started <= ${dayAgo} OR d.${sql(columns[budget])} < ${use.atMost})`;
  return count > 0;
};

export const restoreBudget = async (
  sql: Queryable,
  { hash, email, budget }: { hash: Buffer; email: string; budget: DeviceBudget },
): Promise<void> => {
  const column = sql(columns[budget]);
  await sql`
    UPDATE private.known_devices d SET ${column} = greatest(0, d.${column} - 1)
    FROM users u WHERE u.id = d.user_id AND u.email = ${email} AND d.device_hash = ${hash}`;
};

/**
 * Records a log-in and takes back the failure it was counted as. Returns false, without a change, when the device is not
 * known for the account.
 */
export const touchDevice = async (
  sql: Queryable,
  device: { hash: Buffer; userId: string; now: Date },
): Promise<boolean> => {
  const { count } = await sql`
    UPDATE private.known_devices SET last_used_at = ${device.now}, day_failures = greatest(0, day_failures - 1)
    WHERE device_hash = ${device.hash} AND user_id = ${device.userId}`;
  return count > 0;
};

/** Moves the accounts that know a device to its new id. */
export const moveDevice = async (sql: Queryable, from: Buffer, to: Buffer): Promise<void> => {
  await sql`UPDATE private.known_devices SET device_hash = ${to} WHERE device_hash = ${from}`;
};

/** Adds a device and deletes all but the `atMost` most recently used ones of the account. */
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

/** Deletes all devices of an account except one. */
export const deleteOtherDevices = async (
  sql: Queryable,
  userId: string,
  kept: Buffer | undefined,
): Promise<void> => {
  await sql`
    DELETE FROM private.known_devices
    WHERE user_id = ${userId} AND device_hash IS DISTINCT FROM ${kept ?? null}`;
};
