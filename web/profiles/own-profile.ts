import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { OwnProfile, ProfileChange } from '#contract/profiles.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useSession } from '#web/lib/use-session.ts';

/**
 * Screens that show or edit the profile fetch it again when it is older than this. The components of one screen mount
 * within this time.
 */
const screenStaleTimeMs = 1000;

/**
 * The query that loads the person's profile. All screens share the cached value, and `saveProfile` replaces it.
 */
const ownProfileQuery = (ownId: string | undefined) =>
  queryOptions({
    queryKey: ['own-profile', ownId],
    queryFn: ownId ? () => request(calls.getMe, {}) : skipToken,
    // Without this option, the header, which mounts after the screen, would retry a failed request and
    // replace the error message that the screen shows.
    retryOnMount: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

export interface UseOwnProfileResult {
  profile: OwnProfile | undefined;
  /** Whether the profile could not be loaded. */
  failed: boolean;
  reload: () => void;
}

/**
 * Returns the signed-in person's profile, which is loaded once per session. With `isFresh`, also fetches it again when
 * the component mounts, because it may have been changed in another tab or on another device.
 */
export const useOwnProfile = ({ isFresh = false } = {}): UseOwnProfileResult => {
  const { user } = useSession();
  const query = ownProfileQuery(user?.id);
  const {
    data: profile,
    isError: failed,
    refetch,
  } = useQuery({ ...query, ...(isFresh && { staleTime: screenStaleTimeMs }) }, queryClient);
  return { profile, failed, reload: () => void refetch() };
};

/** Returns the profile if it is loaded, as it is on every page after the start. */
export const getCachedOwnProfile = (ownId: string): OwnProfile | undefined =>
  queryClient.getQueryData(ownProfileQuery(ownId).queryKey);

/**
 * Puts the profile from the server's response to a change into the cache, so that every component shows the
 * new values.
 */
export const cacheOwnProfile = async (profile: OwnProfile): Promise<void> => {
  const { queryKey } = ownProfileQuery(profile.id);
  // Cancel a request that began before the change, because its response would overwrite the new profile.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, profile);
};

/** Saves a change to the person's own profile and updates every component that shows it. */
export const saveProfile = async (change: ProfileChange): Promise<void> =>
  cacheOwnProfile(await request(calls.updateMe, { body: change }));

/** Stores until which day (YYYY-MM-DD) the person is away, or that they are back, and updates what shows it. */
export const saveAway = async (ownId: string, until: string | null): Promise<void> => {
  const { away_until } = await (until === null
    ? request(calls.endAway, {})
    : request(calls.setAway, { body: { until } }));
  const { queryKey } = ownProfileQuery(ownId);
  const profile = queryClient.getQueryData(queryKey);
  if (profile) await cacheOwnProfile({ ...profile, away_until });
};

/**
 * Saves the name that was entered at sign-up. Ignores failures, because the server has usually stored the name already.
 */
export const saveSignUpName = async (full_name: string): Promise<void> => {
  try {
    await saveProfile({ full_name });
  } catch {
    // Ignore the failure: the profile screens show the name that the server has stored.
  }
};
