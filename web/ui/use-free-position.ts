import { type CSSProperties, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Box, findFreePosition, type Position, type Size } from './free-position.ts';

/** Matches all controls, and the bars that contain them. */
const controlSelector =
  'button, input, select, textarea, summary, label:has(input), [role="button"], [role="slider"], [role="menu"], [role="listbox"], header, nav';
/** Matches links, and error messages that must stay readable beside a toast. */
const linkAndErrorSelector = 'a[href], [role="alert"]';
/** Matches dialogs, which a toast avoids if there is room beside them. */
const dialogSelector = '[role="dialog"], [role="alertdialog"]';
/** Minimum distance of the box from the edges of the window, in pixels. */
const windowMarginPixels = 16;
/** Minimum distance of the box from a control, in pixels. */
const controlDistancePixels = 4;
/**
 * Interval in milliseconds at which the position is checked while the box is shown, since pages change for many
 * reasons.
 */
const checkIntervalMs = 100;
/** Time in milliseconds after the last scroll event at which scrolling counts as ended. */
const scrollEndDelayMs = 120;

const listBoxes = (selector: string, own: Element): Box[] =>
  [...document.querySelectorAll(selector)]
    .filter((it) => !own.contains(it) && !it.closest('[inert]'))
    .filter((it) => it.checkVisibility({ visibilityProperty: true }))
    .map((it) => it.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0)
    .map(({ left, top, right, bottom }) => ({
      left: left - controlDistancePixels,
      top: top - controlDistancePixels,
      right: right + controlDistancePixels,
      bottom: bottom + controlDistancePixels,
    }));

/**
 * Returns a position that covers no control and no link, and no open dialog if there is room beside it. With
 * `allowsOverlap`, falls back to one that covers links and large controls, for windows without a free position.
 */
const findPosition = (own: Element, size: Size, current: Position | undefined, allowsOverlap: boolean) => {
  const { clientWidth, clientHeight } = document.documentElement;
  const top = window.visualViewport?.offsetTop ?? 0;
  const area: Box = {
    left: windowMarginPixels,
    right: clientWidth - windowMarginPixels,
    top: top + windowMarginPixels / 2,
    bottom: top + (window.visualViewport?.height ?? clientHeight) - windowMarginPixels,
  };
  const controlBoxes = listBoxes(controlSelector, own);
  const obstacleBoxes = [...controlBoxes, ...listBoxes(linkAndErrorSelector, own)];
  const isLarge = (box: Box) => box.bottom - box.top > 3 * size.height;
  return (
    findFreePosition(size, area, [...obstacleBoxes, ...listBoxes(dialogSelector, own)], current) ??
    findFreePosition(size, area, obstacleBoxes, current) ??
    (allowsOverlap
      ? findFreePosition(
          size,
          area,
          controlBoxes.filter((box) => !isLarge(box)),
          current,
        )
      : undefined)
  );
};

export interface FreePosition {
  /** The free position; undefined if there is none. */
  position: Position | undefined;
  /** Whether the page is being scrolled, so that the position may be covered a moment later. */
  isScrolling: boolean;
}

/**
 * Returns a position in the window where a floating box covers no control, and updates it when the page changes.
 * `measure` returns the box's current size, or undefined while it is hidden. `makeSmaller` is called if there is no room
 * and returns whether the box could be made smaller. Positions are in pixels from the left and top of the window.
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
      if (size) timer ??= setInterval(check, checkIntervalMs);
      else timer = void clearInterval(timer);
      const isScrolling = scrollEndTimer !== undefined;
      const find = (allowsOverlap: boolean) =>
        element && size ? findPosition(element, size, latest.current.position, allowsOverlap) : undefined;
      const position = find(false) ?? (isScrolling || !size || shrink() ? undefined : find(true));
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
    // Runs before the next paint, so that a new toast or dialog is never drawn at an outdated position.
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

/** Returns the inline style of an element that is fixed at the position. */
export const fixedPositionStyle = (position: Position | undefined): CSSProperties =>
  position
    ? {
        left: position.left,
        right: 'auto',
        bottom: document.documentElement.clientHeight - position.bottom,
        transform: 'none',
      }
    : {};
