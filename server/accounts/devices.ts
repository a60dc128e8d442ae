import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { RequestDevice } from '#server/platform/process/request-context.ts';
import {
  consumeBudget,
  type DeviceBudget,
  deleteOtherDevices,
  findDeviceOwner,
  insertDevice,
  isKnownDevice,
  moveDevice,
  restoreBudget,
  touchDevice,
} from './device-repository.ts';

const daySeconds = 24 * 3600;
/** Wrong credentials, and code and link requests, per day for a known device and its account. */
const budgetADay = 20;
/** Maximum number of known devices per account; the least recently used one is dropped. */
const devicesPerAccount = 20;

/**
 * Creates the service for known devices: browsers in which an account logged in by password, code or reset link. The
 * client address proves nothing, since everybody on a campus network shares it.
 */
export const createDevices = ({ sql, clock }: { sql: Sql; clock: Clock }) => ({
  /** Returns whether the account of this address has logged in on this device. */
  isKnown: async ({ hash }: Pick<RequestDevice, 'hash'>, email: string): Promise<boolean> =>
    hash !== undefined && isKnownDevice(sql, hash, email),

  /** Returns the account that logged in on this device last; undefined without one. */
  findOwner: (hash: Buffer): Promise<string | undefined> => findDeviceOwner(sql, hash),

  /**
   * Counts a log-in attempt or a request against the device's own daily budget. Returns false when the account is not
   * known on this device, or the budget is used up; then the stricter limits for strangers apply.
   */
  take: async (
    { hash }: Pick<RequestDevice, 'hash'>,
    email: string,
    budget: DeviceBudget,
  ): Promise<boolean> => {
    if (hash === undefined) return false;
    const now = clock.now();
    const dayAgo = secondsAfter(now, -daySeconds);
    return consumeBudget(sql, { hash, email, budget, now, dayAgo, atMost: budgetADay });
  },

  refund: async (
    { hash }: Pick<RequestDevice, 'hash'>,
    email: string,
    budget: DeviceBudget,
  ): Promise<void> => {
    if (hash !== undefined) await restoreBudget(sql, { hash, email, budget });
  },

  /**
   * Records a log-in of the account on this device. A device that is new to the account gets a new id, so that somebody
   * who planted or saw the old one does not share its privileges.
   */
  remember: async (device: RequestDevice, userId: string): Promise<void> => {
    const now = clock.now();
    const { hash } = device;
    if (hash && (await touchDevice(sql, { hash, userId, now }))) {
      device.keep();
      return;
    }
    const renewed = device.renew();
    await sql.begin(async (tx) => {
      if (hash) await moveDevice(tx, hash, renewed);
      await insertDevice(tx, { hash: renewed, userId, now, atMost: devicesPerAccount });
    });
  },

  /** Deletes the account's other devices after a password change, since somebody else may have known the password. */
  forgetOthers: (device: Pick<RequestDevice, 'hash'>, userId: string): Promise<void> =>
    deleteOtherDevices(sql, userId, device.hash),
});

export type Devices = ReturnType<typeof createDevices>;
