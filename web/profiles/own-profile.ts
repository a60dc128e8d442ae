import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { OwnProfile, ProfileChange } from '#contract/profiles.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useSession } from '#web/lib/use-session.ts';

/** Read once per session for all screens; saving replaces it. */
const ownProfileQuery = (ownId: string | undefined) =>
  queryOptions({
    queryKey: ['own-profile', ownId],
    queryFn: ownId ? () => request(calls.getMe, {}) : skipToken,
    // The header mounts late; it must not replace the error that a screen shows.
    retryOnMount: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

export interface OwnProfileView {
  profile: OwnProfile | undefined;
  /** Loading failed. */
  failed: boolean;
  reload: () => void;
}

/** Returns the signed-in person's profile. */
export const useOwnProfile = (): OwnProfileView => {
  const { user } = useSession();
  const { data: profile, isError: failed, refetch } = useQuery(ownProfileQuery(user?.id), queryClient);
  return { profile, failed, reload: () => void refetch() };
};

/** Saves a change of the person's own profile and updates every component that shows it. */
export const saveProfile = async (change: ProfileChange): Promise<void> => {
  const profile = await request(calls.updateMe, { body: change });
  const { queryKey } = ownProfileQuery(profile.id);
  // A read that began before the change must not replace its result.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, profile);
};

/** Saves the name of a confirmed sign-up. Sign-up has usually stored it already, so a failure is ignored. */
export const saveSignUpName = async (full_name: string): Promise<void> => {
  try {
    await saveProfile({ full_name });
  } catch {
    // The profile screens read the stored value.
  }
};
