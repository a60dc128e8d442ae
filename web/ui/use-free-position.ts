import { type CSSProperties, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Box, findFreePosition, type Position, type Size } from './free-position.ts';

/** Whatever can be operated, and the bars that hold it. */
const controlSelector =
  'button, input, select, textarea, summary, label:has(input), [role="button"], [role="slider"], [role="menu"], [role="listbox"], header, nav';
/** Links, and errors that are to be read beside a toast. */
const linkAndErrorSelector = 'a[href], [role="alert"]';
/** A dialog's text stays readable where there is room beside the dialog. */
const dialogSelector = '[role="dialog"], [role="alertdialog"]';
/** How far it stays away from the edges of the window, in pixels. */
const windowMarginPixels = 16;
/** How far it stays away from a control, in pixels. */
const controlDistancePixels = 4;
/** How often the place is checked while something is shown, in milliseconds: pages move for many reasons. */
const checkIntervalMs = 100;
/** After the last scroll event, scrolling has ended, in milliseconds. */
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
 * Finds the place that covers no control, and beside an open dialog where there is room. With `anyway`, one that covers
 * links and parts of something far larger: better than none, in a window that is full of them.
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
  /** Undefined where nothing is free. */
  position: Position | undefined;
  /** The page is being scrolled: what is free now will not be in a moment. */
  isScrolling: boolean;
}

/**
 * Finds a place in the window for something that floats, so that it covers no control, and keeps it free. `measure`
 * returns the present size, or undefined while there is nothing to place; `makeSmaller` is called when there is no
 * place for it, and returns whether it could. Edges are pixels from the left and the top of the window.
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
    // Notices what is to be placed, and a dialog that opens before it is drawn.
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

/** The style of something fixed at such a place. */
export const fixedPositionStyle = (position: Position | undefined): CSSProperties =>
  position
    ? {
        left: position.left,
        right: 'auto',
        bottom: document.documentElement.clientHeight - position.bottom,
        transform: 'none',
      }
    : {};
