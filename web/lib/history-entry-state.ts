import type { Location } from 'react-router';
import { getSessionSnapshot } from './session.ts';

/** The state of a screen that belongs to a history entry and is restored on Back, Forward and reload. */
export interface HistoryEntryState {
  /** Vertical scroll position in pixels. */
  scroll?: number;
  /** The element that had the focus: a selector and the index among its matches. */
  focus?: [selector: string, index: number];
  /** The loaded pages of the screen's list, if there are several. */
  pages?: readonly unknown[];
}

/** The format in which a tab stores the states of its history entries when its document is hidden. */
export interface StoredHistoryEntryStates {
  /**
   * The build that stored the states. Other builds ignore them, because their screens may expect
   * different data.
   */
  build: string;
  /** The account that was signed in when the states were stored. */
  user_id: string | undefined;
  states: [id: string, HistoryEntryState][];
}

export const historyEntryStatesStorageKey = 'quad.entries';
/**
 * Identifies the build: the URL of this script, which changes when a build changes the scripts that
 * all pages load.
 */
export const currentBuildId: string = import.meta.url;

const toEntryId = ({ key, pathname, search }: Location): string => `${key} ${pathname}${search}`;

const readStoredStates = (): [string, HistoryEntryState][] => {
  try {
    const text = sessionStorage.getItem(historyEntryStatesStorageKey);
    const { build, user_id, states } = JSON.parse(text ?? '{}') as StoredHistoryEntryStates;
    const isUsable = build === currentBuildId && (!user_id || user_id === getSessionSnapshot().user?.id);
    // The first history entry of every document has the same key (`default`), so a new visit must
    // ignore the state that an earlier visit stored under this key.
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const { pathname, search } = window.location;
    const newId = navigation?.type === 'navigate' ? `default ${pathname}${search}` : undefined;
    return isUsable ? states.filter(([id]) => id !== newId) : [];
  } catch {
    return [];
  }
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
