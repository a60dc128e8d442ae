import { calls } from '#contract/calls.ts';
import type { OwnProfile } from '#contract/profiles.ts';
import { type ActionResult, toActionError } from '#web/accounts/public.ts';
import { request } from '#web/lib/api.ts';
import { cacheOwnProfile } from './own-profile.ts';

const runProfileChange = async (change: () => Promise<OwnProfile>): Promise<ActionResult> => {
  try {
    await cacheOwnProfile(await change());
    return {};
  } catch (error) {
    return { error: toActionError(error) };
  }
};

/**
 * Requests a code for a campus email address. The profile then contains the address as unverified.
 */
export const requestCampusAddressCode = (email: string): Promise<ActionResult> =>
  runProfileChange(() => request(calls.requestCampusCode, { body: { email } }));

/**
 * Verifies the pending campus email address with the emailed code, which gives the account the
 * verified badge.
 */
export const verifyCampusAddress = (code: string): Promise<ActionResult> =>
  runProfileChange(() => request(calls.verifyCampusAddress, { body: { code } }));

/** Removes the campus email address and the verified badge that the account received for it. */
export const removeCampusAddress = (): Promise<ActionResult> =>
  runProfileChange(() => request(calls.removeCampusAddress, {}));
