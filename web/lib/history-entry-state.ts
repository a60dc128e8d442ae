import type { Location } from 'react-router';
import { getSessionSnapshot } from './session.ts';
import { declareStoredValue, visitorId } from './stored-values.ts';

/** The state of a screen that belongs to a history entry and is restored on Back, Forward and reload. */
export interface HistoryEntryState {
  /** Vertical scroll position in pixels. */
  scroll?: number;
  /** The element that had the focus: a selector and the index among its matches. */
  focus?: [selector: string, index: number];
  /** The loaded pages of the screen's list, if there are several. */
  pages?: readonly unknown[];
}

export type HistoryEntryStates = [id: string, HistoryEntryState][];

/**
 * Identifies the build: the URL of this script, which changes when a build changes the scripts that
 * all pages load.
 */
const currentBuildId: string = import.meta.url;

/**
 * The states of the tab's history entries, stored when its document is hidden. Other builds ignore them, because
 * their screens may expect different data.
 */
const storedStates = declareStoredValue({
  name: 'entries',
  scope: 'tab',
  parse: (stored): HistoryEntryStates | undefined => {
    const { build, states } = (stored ?? {}) as { build?: string; states?: HistoryEntryStates };
    return build === currentBuildId && Array.isArray(states) ? states : undefined;
  },
});

const getOwnerId = (): string => getSessionSnapshot().user?.id ?? visitorId;

export const storeHistoryEntryStates = (states: HistoryEntryStates): void => {
  storedStates.save(getOwnerId(), { build: currentBuildId, states });
};

const toEntryId = ({ key, pathname, search }: Location): string => `${key} ${pathname}${search}`;

const readStoredStates = (): HistoryEntryStates => {
  // The first history entry of every document has the same key (`default`), so a new visit must
  // ignore the state that an earlier visit stored under this key.
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const { pathname, search } = window.location;
  const newId = navigation?.type === 'navigate' ? `default ${pathname}${search}` : undefined;
  return storedStates.find(getOwnerId())?.filter(([id]) => id !== newId) ?? [];
};

let entryStates: Map<string, HistoryEntryState> | undefined;

/** Returns the states of all history entries by entry id, most recently used last. */
export const getHistoryEntryStates = (): Map<string, HistoryEntryState> => {
  entryStates ??= new Map(readStoredStates());
  return entryStates;
};

/**
 * Returns the state of a location's history entry, or a new empty one. The caller may change the
 * returned object.
 */
export const getHistoryEntryState = (location: Location): HistoryEntryState => {
  const states = getHistoryEntryStates();
  const id = toEntryId(location);
  const state = states.get(id) ?? {};
  states.delete(id);
  states.set(id, state);
  return state;
};

/**
 * Returns whether Back stays on this site. The router counts the site's history entries from 0, and the first one has
 * nothing to go back to.
 */
export const hasEarlierEntry = (): boolean => Boolean((window.history.state as { idx?: number } | null)?.idx);
