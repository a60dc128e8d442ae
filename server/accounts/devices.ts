import type { RequestDevice } from '#server/http/device-cookie.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import {
  type DeviceBudget,
  deleteOtherDevices,
  findDeviceOwner,
  giveBackToBudget,
  insertDevice,
  isKnownDevice,
  moveDevice,
  takeFromBudget,
  touchDevice,
} from './device-repository.ts';

const daySeconds = 24 * 3600;
/** Wrong credentials, and requests for codes and links, that a known device has for its account in a day. */
const budgetADay = 20;
/** Known devices of one account; the one unused for longest makes room. */
const devicesPerAccount = 20;

/**
 * Known devices: browsers in which an account proved itself by password, code or reset link. The client's address is
 * no proof, since a campus network shares one with everybody on it.
 */
export const createDevices = ({ sql, clock }: { sql: Sql; clock: Clock }) => ({
  /** Whether the account of this address proved itself on this device. */
  isKnown: async ({ hash }: Pick<RequestDevice, 'hash'>, email: string): Promise<boolean> =>
    hash !== undefined && isKnownDevice(sql, hash, email),

  /** The account that logged in on this device last; undefined where none did. */
  findOwner: (hash: Buffer): Promise<string | undefined> => findDeviceOwner(sql, hash),

  /**
   * Counts a log-in attempt or a request against the device's own daily budget. Returns false where the account is not
   * known on this device, or the budget is used up: then it counts like anybody's.
   */
  take: async (
    { hash }: Pick<RequestDevice, 'hash'>,
    email: string,
    budget: DeviceBudget,
  ): Promise<boolean> => {
    if (hash === undefined) return false;
    const now = clock.now();
    const dayAgo = secondsAfter(now, -daySeconds);
    return takeFromBudget(sql, { hash, email, budget, now, dayAgo, atMost: budgetADay });
  },

  giveBack: async (
    { hash }: Pick<RequestDevice, 'hash'>,
    email: string,
    budget: DeviceBudget,
  ): Promise<void> => {
    if (hash !== undefined) await giveBackToBudget(sql, { hash, email, budget });
  },

  /**
   * Remembers that an account has just proved itself on this device. A device that is new to the account gets a new id:
   * whoever planted or saw the old one must not share what the new one may do.
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

  /** Forgets the account's devices but this one: the password was changed, maybe because somebody else knew it. */
  forgetOthers: (device: Pick<RequestDevice, 'hash'>, userId: string): Promise<void> =>
    deleteOtherDevices(sql, userId, device.hash),
});

export type Devices = ReturnType<typeof createDevices>;
