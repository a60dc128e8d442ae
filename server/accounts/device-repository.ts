import type { Queryable } from '#server/platform/database.ts';

export const isKnownDevice = async (sql: Queryable, hash: Buffer, email: string): Promise<boolean> => {
  const rows = await sql`
    SELECT 1 FROM private.known_devices d JOIN users u ON u.id = d.user_id
    WHERE d.device_hash = ${hash} AND u.email = ${email}`;
  return rows.length > 0;
};

/** Returns false, and changes nothing, where the device is not known for the account. */
export const touchDevice = async (
  sql: Queryable,
  device: { hash: Buffer; userId: string; now: Date },
): Promise<boolean> => {
  const { count } = await sql`
    UPDATE private.known_devices SET last_used_at = ${device.now}
    WHERE device_hash = ${device.hash} AND user_id = ${device.userId}`;
  return count > 0;
};

/** Carries what a device is known for over to its new id. */
export const moveDevice = async (sql: Queryable, from: Buffer, to: Buffer): Promise<void> => {
  await sql`UPDATE private.known_devices SET device_hash = ${to} WHERE device_hash = ${from}`;
};

/** Adds a device; of an account's devices only the `atMost` that were used last stay. */
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

/** Forgets every device of an account but one. */
export const deleteOtherDevices = async (
  sql: Queryable,
  userId: string,
  kept: Buffer | undefined,
): Promise<void> => {
  await sql`
    DELETE FROM private.known_devices
    WHERE user_id = ${userId} AND device_hash IS DISTINCT FROM ${kept ?? null}`;
};
