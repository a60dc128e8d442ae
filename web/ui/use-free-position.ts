import { type CSSProperties, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Position, Size } from './free-position.ts';
import { findUncoveredPosition } from './uncovered-position.ts';

/**
 * Interval in milliseconds at which the position is checked while the box is shown, because
 * controls can move without a scroll, resize or DOM event, for example during an animation.
 */
const positionCheckIntervalMs = 100;
/** Time in milliseconds after the last scroll event at which scrolling counts as ended. */
const scrollEndDelayMs = 120;

export interface FreePosition {
  /** A position where the box covers no control, or undefined if there is none. */
  position: Position | undefined;
  /** Whether the page is being scrolled; if so, a control may move into the position at any moment. */
  isScrolling: boolean;
}

/**
 * Returns a position in the window where a floating box covers no control, and updates the position
 * when the page changes. `measure` returns the box's current size, or undefined while the box is
 * hidden. `makeSmaller` is called if there is no room, and returns whether the box could be made
 * smaller. Positions are in pixels from the left and top of the window.
 */
export const useFreePosition = (
  own: RefObject<Element | null>,
  measure: () => Size | undefined,
  makeSmaller: () => boolean = () => false,
): FreePosition => {
  const [freePosition, setFreePosition] = useState<FreePosition>({ position: undefined, isScrolling: false });
  const latest = useRef(freePosition);
  const measureNow = useEffectEvent(measure);
  const shrink = useEffectEvent(makeSmaller);

  useEffect(() => {
    let scrollEndTimer: ReturnType<typeof setTimeout> | undefined;
    let timer: ReturnType<typeof setInterval> | undefined;
    const check = (): void => {
      const element = own.current;
      const size = element ? measureNow() : undefined;
      if (size) timer ??= setInterval(check, positionCheckIntervalMs);
      else timer = void clearInterval(timer);
      const isScrolling = scrollEndTimer !== undefined;
      // While a control in the box has the focus, do not hide the box, because the control would lose the
      // focus.
      const hasFocus = element?.contains(document.activeElement) ?? false;
      if (isScrolling && size && hasFocus) return;
      const find = (allowsOverlap: boolean) =>
        element && size
          ? findUncoveredPosition(element, size, latest.current.position, allowsOverlap)
          : undefined;
      const position =
        find(false) ??
        (isScrolling || !size || shrink() ? undefined : find(true)) ??
        (size && hasFocus ? latest.current.position : undefined);
      if (position === latest.current.position && isScrolling === latest.current.isScrolling) return;
      latest.current = { position, isScrolling };
      setFreePosition(latest.current);
    };
    const onScroll = (): void => {
      clearTimeout(scrollEndTimer);
      scrollEndTimer = setTimeout(() => {
        scrollEndTimer = undefined;
        check();
      }, scrollEndDelayMs);
      check();
    };
    // MutationObservers run before the next paint, so a new toast or dialog is never drawn at an outdated
    // position.
    const observer = new MutationObserver(check);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    window.addEventListener('resize', check);
    check();
    return () => {
      clearTimeout(scrollEndTimer);
      clearInterval(timer);
      observer.disconnect();
      document.removeEventListener('scroll', onScroll, { capture: true });
      window.removeEventListener('resize', check);
    };
  }, [own]);

  return freePosition;
};

/** Returns the inline style that fixes an element at a position in the window. */
export const toFixedPositionStyle = (position: Position | undefined): CSSProperties =>
  position
    ? {
        left: position.left,
        right: 'auto',
        bottom: document.documentElement.clientHeight - position.bottom,
        transform: 'none',
      }
    : {};
