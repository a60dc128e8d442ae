import type { DataRouter, Location } from 'react-router';
import { hasInteractedWithPage } from '#web/lib/first-input.ts';
import {
  getHistoryEntryState,
  getHistoryEntryStates,
  type HistoryEntryState,
  type HistoryEntryStates,
  storeHistoryEntryStates,
} from '#web/lib/history-entry-state.ts';
import { getSessionSnapshot, onSessionChange } from '#web/lib/session.ts';

const maxStoredEntries = 50;
/** Maximum total length of the states stored in the tab's session storage, in characters. */
const maxStoredStatesLength = 500_000;

/** Attributes by which a control can be found again when its screen is rendered again. */
const identifyingAttributes = ['id', 'href', 'aria-label', 'name'];

let firstLocationKey: string | undefined;
let displayedLocation: Location | undefined;
let hasNavigated = false;
/**
 * The link or button that was pressed last. It is tracked separately, because Safari does not focus a
 * control when it is tapped.
 */
let pressedControl: Element | null = null;
let stopRestoring = (): void => {};

const describeElement = (element: Element | null): HistoryEntryState['focus'] => {
  // Text fields are excluded, because focusing one again would open the on-screen keyboard or the search
  // suggestions.
  const excluded = '[role="dialog"], [role="menu"], textarea, input:not([type="checkbox"], [type="radio"])';
  if (!element || element.closest(excluded)) return undefined;
  for (const name of identifyingAttributes) {
    const value = element.getAttribute(name);
    // React generates different ids on every visit, so these ids cannot identify an element.
    if (!value || (name === 'id' && /_r_/i.test(value))) continue;
    const selector = `${element.localName}[${name}="${CSS.escape(value)}"]`;
    return [selector, [...document.querySelectorAll(selector)].indexOf(element)];
  }
  return undefined;
};

const savePosition = (): void => {
  if (!displayedLocation) return;
  const state = getHistoryEntryState(displayedLocation);
  const { activeElement, body } = document;
  const focus = describeElement(activeElement === body ? pressedControl : activeElement);
  state.scroll = window.scrollY;
  if (focus) state.focus = focus;
  else delete state.focus;
};

/**
 * Stores the most recently used entry states in session storage. Omits the oldest ones if the maximum length
 * is exceeded.
 */
const storeStates = (): void => {
  const states: HistoryEntryStates = [];
  let length = 0;
  for (const [id, state] of [...getHistoryEntryStates()].reverse()) {
    const { pages: _, ...stateWithoutPages } = state;
    const candidates: HistoryEntryStates = [
      [id, state],
      [id, stateWithoutPages],
    ];
    const entry = candidates.find((it) => length + JSON.stringify(it).length <= maxStoredStatesLength);
    if (!entry) break;
    length += JSON.stringify(entry).length;
    states.unshift(entry);
  }
  storeHistoryEntryStates(states);
};

const removeOldHistoryEntryStates = (): void => {
  const states = getHistoryEntryStates();
  for (const id of [...states.keys()].slice(0, -maxStoredEntries)) states.delete(id);
};

/** Discards what the person viewed when their session ends, because others may use the same computer. */
const discardStatesAfterSession = (): void => {
  let lastUserId = getSessionSnapshot().user?.id;
  onSessionChange(() => {
    const userId = getSessionSnapshot().user?.id;
    if (lastUserId && userId !== lastUserId) getHistoryEntryStates().clear();
    lastUserId = userId;
  });
};

/**
 * Saves the scroll position and the focused control of each history entry when the person leaves
 * it. Must be called only once.
 */
export const savePositionsOnNavigation = (router: DataRouter): void => {
  displayedLocation = router.state.location;
  firstLocationKey = displayedLocation.key;
  window.history.scrollRestoration = 'manual';
  router.subscribe(({ location }) => {
    if (location.key === displayedLocation?.key) return;
    hasNavigated = true;
    savePosition();
    removeOldHistoryEntryStates();
    stopRestoring();
    displayedLocation = location;
    pressedControl = null;
  });
  document.addEventListener(
    'click',
    ({ target }) => {
      pressedControl = target instanceof Element ? target.closest('a, button') : null;
    },
    { capture: true },
  );
  const saveAll = () => {
    savePosition();
    storeStates();
  };
  document.addEventListener('visibilitychange', () => document.hidden && saveAll());
  window.addEventListener('pagehide', () => {
    saveAll();
    // After a reload, let the browser restore the scroll position until the scripts have run.
    window.history.scrollRestoration = 'auto';
  });
  window.addEventListener('pageshow', () => {
    window.history.scrollRestoration = 'manual';
  });
  discardStatesAfterSession();
};

/**
 * Scrolls to the saved position of a location as soon as the page is long enough, unless the person
 * interacts with the page first. Returns a function that restores the focus; call it after the
 * screen has set its own focus.
 */
export const restoreHistoryEntryPosition = (location: Location): (() => void) => {
  const { scroll, focus } = getHistoryEntryState(location);
  stopRestoring();
  // This script loads late. If the person has already used the page, it must not move their focus
  // or scroll position.
  if (!hasNavigated && hasInteractedWithPage()) return () => {};
  if (scroll === undefined) {
    // On the first screen of the document, keep the position to which the browser has scrolled, for example
    // that of a fragment.
    if (location.key !== firstLocationKey) window.scrollTo({ top: 0, behavior: 'instant' });
    return () => {};
  }
  const interaction = new AbortController();
  const { signal } = interaction;
  let focusToRestore: HistoryEntryState['focus'];
  let isRendered = false;

  const restore = (): void => {
    // A missing saved position means that the screen has discarded it, for example because it displays
    // something new at its top.
    if (getHistoryEntryState(location).scroll === undefined) {
      interaction.abort();
      return;
    }
    const isLongEnough = document.documentElement.scrollHeight - window.innerHeight >= scroll;
    // Wait until the page is long enough: a list renders its first page before its restored pages. If the
    // page were scrolled to its end before they are rendered, browsers would keep the footer in view.
    if (isLongEnough || isRendered) window.scrollTo({ top: scroll, behavior: 'instant' });
    const [selector, index = 0] = focusToRestore ?? [];
    const element = selector && document.querySelectorAll<HTMLElement>(selector)[index];
    if (element) {
      element.focus({ preventScroll: true });
      focusToRestore = undefined;
    }
    if (!focusToRestore && Math.abs(window.scrollY - scroll) < 2) observer.disconnect();
  };
  const observer = new ResizeObserver(() => {
    isRendered = true;
    restore();
  });
  signal.addEventListener('abort', () => observer.disconnect());
  stopRestoring = () => interaction.abort();
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(type, stopRestoring, { signal, passive: true });
  observer.observe(document.body);
  restore();
  return () => {
    if (signal.aborted) return;
    focusToRestore = focus;
    restore();
  };
};
