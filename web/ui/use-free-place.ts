import { type CSSProperties, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Box, findFreePlace, type Place, type Size } from './free-place.ts';

/** Whatever can be operated, and the bars that hold it. */
const controls =
  'button, input, select, textarea, summary, label:has(input), [role="button"], [role="slider"], [role="menu"], [role="listbox"], header, nav';
/** Links, and errors that are to be read beside a toast. */
const linksAndErrors = 'a[href], [role="alert"]';
/** A dialog's text stays readable where there is room beside the dialog. */
const dialogs = '[role="dialog"], [role="alertdialog"]';
/** How far it stays away from the edges of the window, in pixels. */
const margin = 16;
/** How far it stays away from a control, in pixels. */
const distance = 4;
/** How often the place is checked while something is shown, in milliseconds: pages move for many reasons. */
const checkEveryMs = 100;
/** After the last scroll event, scrolling has ended, in milliseconds. */
const scrollEndMs = 120;

const boxesOf = (selector: string, own: Element): Box[] =>
  [...document.querySelectorAll(selector)]
    .filter((it) => !own.contains(it) && !it.closest('[inert]'))
    .filter((it) => it.checkVisibility({ visibilityProperty: true }))
    .map((it) => it.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0)
    .map(({ left, top, right, bottom }) => ({
      left: left - distance,
      top: top - distance,
      right: right + distance,
      bottom: bottom + distance,
    }));

/**
 * Finds the place that covers no control, and beside an open dialog where there is room. With `anyway`, one that covers
 * links and parts of something far larger: better than none, in a window that is full of them.
 */
const findPlace = (own: Element, size: Size, current: Place | undefined, anyway: boolean) => {
  const { clientWidth, clientHeight } = document.documentElement;
  const top = window.visualViewport?.offsetTop ?? 0;
  const area: Box = {
    left: margin,
    right: clientWidth - margin,
    top: top + margin / 2,
    bottom: top + (window.visualViewport?.height ?? clientHeight) - margin,
  };
  const taken = boxesOf(controls, own);
  const all = [...taken, ...boxesOf(linksAndErrors, own)];
  const isLarge = (box: Box) => box.bottom - box.top > 3 * size.height;
  return (
    findFreePlace(size, area, [...all, ...boxesOf(dialogs, own)], current) ??
    findFreePlace(size, area, all, current) ??
    (anyway
      ? findFreePlace(
          size,
          area,
          taken.filter((box) => !isLarge(box)),
          current,
        )
      : undefined)
  );
};

export interface FreePlace {
  /** Undefined where nothing is free. */
  place: Place | undefined;
  /** The page is being scrolled: what is free now will not be in a moment. */
  moving: boolean;
}

/**
 * Finds a place in the window for something that floats, so that it covers no control, and keeps it free. `measure`
 * returns the present size, or undefined while there is nothing to place; `makeSmaller` is called when there is no
 * place for it, and returns whether it could. Edges are pixels from the left and the top of the window.
 */
export const useFreePlace = (
  own: RefObject<Element | null>,
  measure: () => Size | undefined,
  makeSmaller: () => boolean = () => false,
): FreePlace => {
  const [found, setFound] = useState<FreePlace>({ place: undefined, moving: false });
  const latest = useRef(found);
  const measureNow = useEffectEvent(measure);
  const shrink = useEffectEvent(makeSmaller);

  useEffect(() => {
    let scrolling: ReturnType<typeof setTimeout> | undefined;
    let timer: ReturnType<typeof setInterval> | undefined;
    const check = (): void => {
      const element = own.current;
      const size = element ? measureNow() : undefined;
      if (size) timer ??= setInterval(check, checkEveryMs);
      else timer = void clearInterval(timer);
      const moving = scrolling !== undefined;
      const find = (anyway: boolean) =>
        element && size ? findPlace(element, size, latest.current.place, anyway) : undefined;
      const place = find(false) ?? (moving || !size || shrink() ? undefined : find(true));
      if (place === latest.current.place && moving === latest.current.moving) return;
      latest.current = { place, moving };
      setFound(latest.current);
    };
    const onScroll = (): void => {
      clearTimeout(scrolling);
      scrolling = setTimeout(() => {
        scrolling = undefined;
        check();
      }, scrollEndMs);
      check();
    };
    // Notices what is to be placed, and a dialog that opens before it is drawn.
    const observer = new MutationObserver(check);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    window.addEventListener('resize', check);
    check();
    return () => {
      clearTimeout(scrolling);
      clearInterval(timer);
      observer.disconnect();
      document.removeEventListener('scroll', onScroll, { capture: true });
      window.removeEventListener('resize', check);
    };
  }, [own]);

  return found;
};

/** The style of something fixed at such a place. */
export const fixedAt = (place: Place | undefined): CSSProperties =>
  place
    ? {
        left: place.left,
        right: 'auto',
        bottom: document.documentElement.clientHeight - place.bottom,
        transform: 'none',
      }
    : {};
