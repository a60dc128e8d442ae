import type { DataRouter, Location } from 'react-router';
import { isReloadingAfterPopState, setPopStateInterceptor } from '#web/lib/pop-state.ts';

// Every open overlay (dialog, sheet, menu, full-screen photo) has its own history entry, so that
// Back closes the overlay instead of leaving the page. The overlay's entry is a copy of the page's
// entry and is unknown to React Router: the `popstate` listener of this module runs before the
// router's and handles moves between the two entries.

interface HistoryEntryState {
  key?: string;
  /**
   * Position of the entry in the history, as counted by React Router. Links opened in an overlay
   * continue this count.
   */
  idx?: number;
  /** Number of overlays that were open when the entry was added. */
  overlays?: number;
}

/** Functions that close the open overlays, in the order in which they were opened. */
const openOverlays: { close: () => void }[] = [];
let router: DataRouter | undefined;
/** Number of history entries that belong to overlays, up to the current entry. */
let overlayEntryCount = 0;
/** Whether this module has called `history.go` and the resulting `popstate` event has not arrived yet. */
let isTraversing = false;
/**
 * If the router replaces the URL in the history entry of an overlay, the entries below it that belong to the
 * same page still have the previous URL. This is the history position of the first such entry, or undefined
 * if there are none.
 */
let firstOutdatedPosition: number | undefined;

/** History position of the current entry. */
let position = 0;

const readHistoryState = (): HistoryEntryState => (window.history.state as HistoryEntryState | null) ?? {};
const countOverlaysOfEntry = (): number => readHistoryState().overlays ?? 0;

const addOverlayEntries = (): void => {
  if (isTraversing) return;
  while (overlayEntryCount < openOverlays.length) {
    const { idx = 0, ...state } = readHistoryState();
    overlayEntryCount += 1;
    position = idx + 1;
    window.history.pushState({ ...state, idx: position, overlays: overlayEntryCount }, '');
  }
};

const traverseHistory = (steps: number): void => {
  isTraversing = true;
  window.history.go(steps);
};

/** Goes back past the history entries of overlays that were closed without Back. */
const removeOverlayEntries = (): void => {
  const surplus = countOverlaysOfEntry() - openOverlays.length;
  if (surplus > 0 && !isTraversing) traverseHistory(-surplus);
};

const isOnPage = ({ key, hash }: Location): boolean =>
  (readHistoryState().key ?? 'default') === key && window.location.hash === hash;

/** Returns whether the current entry belongs to the page that the router shows. */
const isOnDisplayedPage = (): boolean => !router || isOnPage(router.state.location);

/** Returns whether the current entry belongs to the page that the router is loading. */
const isOnLoadingPage = (): boolean => {
  const { location } = router?.state.navigation ?? {};
  return location !== undefined && isOnPage(location);
};

/** Gives the current history entry the URL and key of the page that the router shows. */
const updateEntryUrl = ({ state: { location }, createHref }: DataRouter): void => {
  const { state: usr, key } = location;
  window.history.replaceState({ ...readHistoryState(), usr, key }, '', createHref(location));
  if (readHistoryState().idx === firstOutdatedPosition) firstOutdatedPosition = undefined;
};

/** Adds a history entry for the page that the router shows. Its state is the one that the router would write. */
const pushPageEntry = ({ state: { location }, createHref }: DataRouter): void => {
  const { state: usr, key } = location;
  position += 1;
  overlayEntryCount = 0;
  firstOutdatedPosition = undefined;
  window.history.pushState({ usr, key, idx: position }, '', createHref(location));
};

const finishTraversal = (): void => {
  isTraversing = false;
  overlayEntryCount = countOverlaysOfEntry();
  if (router && !isOnDisplayedPage() && !isOnLoadingPage()) {
    // The router navigated before the `history.go` call of this module took effect, so the current entry is
    // not the router's. Add the router's entry again instead of going forward to it: the browser may have
    // dropped it, and the URL would stay that of the previous page.
    if (router.state.historyAction === 'PUSH') pushPageEntry(router);
    else updateEntryUrl(router);
  }
  addOverlayEntries();
  removeOverlayEntries();
};

/** Closes the last `count` overlays after Back has left their history entries. */
const closeOverlays = (count: number): void => {
  for (const { close } of openOverlays.slice(-count).reverse()) close();
  // An overlay may refuse to close, for example while it is saving. In this case, add its history entry
  // again.
  setTimeout(addOverlayEntries);
};

/**
 * Returns whether there is a history entry after the current one. Always false in browsers without the
 * Navigation API; there, Forward stays on the page of a closed overlay.
 */
const hasNextEntry = (): boolean => window.navigation?.canGoForward ?? false;

/**
 * Handles a change of the current history entry. The first row that applies decides:
 *
 * | the entry                                                        | effect                                     |
 * |------------------------------------------------------------------|--------------------------------------------|
 * | was reached by this module's own traversal                       | ends the traversal                         |
 * | has more overlays than are open: one of them was closed          | goes on to the next page, or back past it  |
 * | belongs to another page                                          | left to the router                         |
 * | has as many as are open, while the router loads another page     | left to the router, which stops loading    |
 * | has fewer overlays than are open                                 | closes the others                          |
 * | has as many overlays as are open                                 | none                                       |
 *
 * An entry that still has the URL from before a REPLACE counts as one of this page, and gets the current URL.
 */
const handlePopState = (event: PopStateEvent): void => {
  const { idx = 0, overlays = 0 } = readHistoryState();
  const isNextEntry = idx === position + 1;
  position = idx;
  const surplus = overlays - openOverlays.length;
  const isOutdated =
    firstOutdatedPosition !== undefined && idx >= firstOutdatedPosition && overlays < overlayEntryCount;
  const isSamePage = isOnDisplayedPage() || isOutdated;
  const isLoadingAnotherPage = router?.state.navigation.state === 'loading' && surplus === 0;
  if (!isTraversing && surplus <= 0 && (!isSamePage || isLoadingAnotherPage)) {
    overlayEntryCount = overlays;
    firstOutdatedPosition = undefined;
    return;
  }
  event.stopImmediatePropagation();
  if (isTraversing) {
    finishTraversal();
    return;
  }
  overlayEntryCount = overlays;
  if (router && isOutdated) updateEntryUrl(router);
  if (surplus < 0) closeOverlays(-surplus);
  // Go forward to the page that was opened from the closed overlay, or back to the page that contained it.
  else if (surplus > 0) window.history.go(isNextEntry && hasNextEntry() ? 1 : -surplus);
};

/**
 * Updates the state of this module after the router has navigated away from the history entry of an
 * overlay.
 */
const syncWithRouter = ({ historyAction, navigation }: DataRouter['state']): void => {
  const state = readHistoryState();
  position = state.idx ?? 0;
  if (overlayEntryCount === 0 || state.overlays || isTraversing || navigation.state !== 'idle') return;
  if (historyAction === 'REPLACE') {
    // The router has replaced the URL in the overlay's history entry, but the page's own entry still has
    // the previous URL. That entry is updated when Back reaches it.
    firstOutdatedPosition = (state.idx ?? 0) - overlayEntryCount;
    window.history.replaceState({ ...state, overlays: overlayEntryCount }, '');
  } else {
    overlayEntryCount = 0;
    firstOutdatedPosition = undefined;
    // The overlays belong to the page that was left. Until the next page is rendered, they are still mounted.
    openOverlays.length = 0;
  }
};

/**
 * Starts handling the history entries of overlays. Must be called before the first overlay opens.
 * After a reload, also goes back past the entries of overlays that were open before the reload.
 */
export const startOverlayHistory = (appRouter: DataRouter): void => {
  if (router || isReloadingAfterPopState()) return;
  router = appRouter;
  setPopStateInterceptor(handlePopState);
  router.subscribe(syncWithRouter);
  overlayEntryCount = countOverlaysOfEntry();
  position = readHistoryState().idx ?? 0;
  removeOverlayEntries();
};

/**
 * Registers an open overlay, which Back closes by calling `close`. Returns a function to call when the
 * overlay has closed.
 */
export const registerOverlay = (close: () => void): (() => void) => {
  const overlay = { close };
  openOverlays.push(overlay);
  addOverlayEntries();
  return () => {
    const index = openOverlays.indexOf(overlay);
    if (index < 0) return;
    openOverlays.splice(index, 1);
    // Wait until the current task has ended, because it may open another overlay, for example a dialog
    // from a menu.
    setTimeout(removeOverlayEntries);
  };
};
