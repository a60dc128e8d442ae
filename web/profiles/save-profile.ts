import { calls } from '#contract/calls.ts';
import type { ProfileChange } from '#contract/profiles.ts';
import { request } from '#web/lib/api.ts';
import { setOwnProfile } from '#web/lib/own-profile.ts';

/** Saves a change of the person's own profile and updates every component that shows it. */
export const saveProfile = async (change: ProfileChange): Promise<void> =>
  setOwnProfile(await request(calls.updateMe, { body: change }));
