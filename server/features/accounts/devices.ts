import type { App } from '#server/app.ts';
import { notify } from '#server/features/notifications/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import type { RequestDevice } from '#server/platform/process/request-context.ts';
import {
  consumeDeviceBudget,
  type DeviceBudgetName,
  deleteOtherDevices,
  insertDevice,
  isSecondFactorNeeded,
  recordDeviceLogIn,
  refundDeviceBudget,
  replaceDeviceId,
} from './device-repository.ts';

// Known devices are browsers in which an account has logged in by password, code or reset link. The client address does
// not identify a person, because everybody on a campus network shares it.

/** Maximum number of failed log-ins, and of requests for codes and links, per day for each known device and account. */
const maxUsesPerDay = 20;
/** Maximum number of known devices per account. Beyond this number, the least recently used device is forgotten. */
const maxDevicesPerAccount = 20;

/**
 * Counts a log-in attempt or a request against the device's own daily budget. Returns false when the account is not known
 * on this device or the budget is used up; the stricter limits for unknown devices then apply.
 */
export const takeFromDeviceBudget = async (
  { sql, clock }: App,
  { hash }: Pick<RequestDevice, 'hash'>,
  email: string,
  budget: DeviceBudgetName,
): Promise<boolean> => {
  if (hash === undefined) return false;
  const now = clock.now();
  const dayAgo = addSeconds(now, -dayInSeconds);
  return consumeDeviceBudget(sql, { hash, email, budget, now, dayAgo, atMost: maxUsesPerDay });
};

/** Gives back what `takeFromDeviceBudget` has taken. */
export const returnToDeviceBudget = async (
  { sql }: App,
  { hash }: Pick<RequestDevice, 'hash'>,
  email: string,
  budget: DeviceBudgetName,
): Promise<void> => {
  if (hash !== undefined) await refundDeviceBudget(sql, { hash, email, budget });
};

/**
 * Records a log-in of the account on this device. A device that is new to the account gets a new id, so that somebody who
 * planted or saw the old id does not share its privileges. Notifies the person about a new device, unless this is the
 * account's first log-in or the caller passes `isExpected`.
 */
export const rememberDevice = async (
  app: App,
  device: RequestDevice,
  userId: string,
  isExpected = false,
): Promise<void> => {
  const now = app.clock.now();
  const { hash } = device;
  if (hash && (await recordDeviceLogIn(app.sql, { hash, userId, now }))) {
    device.keep();
    return;
  }
  const renewed = device.renew();
  await runInTransaction(app.sql, async (tx) => {
    if (hash) await replaceDeviceId(tx, hash, renewed);
    await insertDevice(tx, { hash: renewed, userId, now, atMost: maxDevicesPerAccount });
    if (isExpected) return;
    const needsSecondFactor = await isSecondFactorNeeded(tx, userId);
    if (needsSecondFactor === undefined) return;
    const facts = {
      at: now.toISOString(),
      device_name: device.name,
      needs_second_factor: needsSecondFactor,
    };
    await notify(app, tx, 'new_device', [{ subjectId: null, facts, userIds: [userId] }]);
  });
};

/** Forgets the account's other devices after a password change, because somebody else may have known the old password. */
export const forgetOtherDevices = (
  { sql }: App,
  device: Pick<RequestDevice, 'hash'>,
  userId: string,
): Promise<void> => deleteOtherDevices(sql, userId, device.hash);
