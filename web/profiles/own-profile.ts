import { useEffect, useSyncExternalStore } from 'react';
import { calls } from '#contract/calls.ts';
import type { OwnProfile, ProfileChange } from '#contract/profiles.ts';
import { request } from '#web/lib/api.ts';
import { onSessionChange, sessionNow } from '#web/lib/session.ts';

interface ProfileState {
  /** Id of the person whose profile is loaded or loading. */
  userId: string | undefined;
  profile: OwnProfile | undefined;
  failed: boolean;
}

const nobody: ProfileState = { userId: undefined, profile: undefined, failed: false };

let state = nobody;
let watching = false;
const listeners = new Set<() => void>();

const set = (next: ProfileState): void => {
  state = next;
  for (const listener of listeners) listener();
};

const load = async (userId: string): Promise<void> => {
  set({ userId, profile: state.userId === userId ? state.profile : undefined, failed: false });
  try {
    const profile = await request(calls.getMe, {});
    if (state.userId === userId) set({ userId, profile, failed: false });
  } catch {
    if (state.userId === userId) set({ ...state, failed: true });
  }
};

const follow = (): void => {
  const userId = sessionNow().user?.id;
  if (userId === state.userId) return;
  if (userId) void load(userId);
  else set(nobody);
};

const watch = (): void => {
  if (!watching) {
    watching = true;
    onSessionChange(follow);
  }
  follow();
};

/** Saves a change of the person's own profile and updates every component that shows it. */
export const saveProfile = async (change: ProfileChange): Promise<void> => {
  const profile = await request(calls.updateMe, { body: change });
  set({ userId: profile.id, profile, failed: false });
};

/** Saves the name of a confirmed sign-up. Sign-up has usually stored it already, so a failure is ignored. */
export const saveSignUpName = async (full_name: string): Promise<void> => {
  try {
    await saveProfile({ full_name });
  } catch {
    // The profile screens read the stored value.
  }
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export interface OwnProfileView {
  profile: OwnProfile | undefined;
  /** Loading failed; a previously loaded profile stays. */
  failed: boolean;
  reload: () => void;
}

const reload = (): void => {
  const userId = sessionNow().user?.id;
  if (userId) void load(userId);
};

/** Returns the signed-in person's profile, loaded once for all components. */
export const useOwnProfile = (): OwnProfileView => {
  const { profile, failed } = useSyncExternalStore(
    subscribe,
    () => state,
    () => nobody,
  );
  useEffect(watch, []);
  return { profile, failed, reload };
};
