import { calls } from '#contract/calls.ts';
import type { ProfileChange } from '#contract/profiles.ts';
import { request } from '#web/lib/api.ts';
import { setOwnProfile } from '#web/lib/own-profile.ts';

/** Saves a change of one's own profile; whatever shows the profile follows at once. */
export const saveProfile = async (change: ProfileChange): Promise<void> =>
  setOwnProfile(await request(calls.updateMe, { body: change }));
