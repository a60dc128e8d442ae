import type { RequestDevice } from '#server/http/device-cookie.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/database.ts';
import {
  deleteOtherDevices,
  insertDevice,
  isKnownDevice,
  moveDevice,
  touchDevice,
} from './device-repository.ts';

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
