import { type Box, findFreePosition, type Position, type Size } from './free-position.ts';

/** Matches all controls, links that look like buttons, and the bars that contain them. */
const controlSelector =
  'button, [data-button], input, select, textarea, summary, label:has(input), [role="button"], [role="slider"], [role="menu"], [role="listbox"], header, nav, [data-action-bar], [data-pinned]';
/** Matches links and error messages. Error messages must stay readable beside a toast. */
const linkAndErrorSelector = 'a[href], [role="alert"], [data-error]';
/** Matches the text of forms, which a toast avoids if there is room beside it. */
const formTextSelector = ':is(form, [role="dialog"]) :is(label, legend, p, h1, h2, h3, li, output)';
/** Matches dialogs, which a toast avoids if there is room beside them. */
const dialogSelector = '[role="dialog"], [role="alertdialog"]';
/**
 * Matches elements that stay in place while the page scrolls, and fields, in which the person may
 * be typing.
 */
const pinnedSelector =
  'input, select, textarea, header, nav, [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"], [data-action-bar], [data-pinned]';
/** Minimum distance of the box from the edges of the window, in pixels. */
const windowMarginPixels = 16;
/** Minimum distance of the box from a control, in pixels. */
const minControlDistancePixels = 4;

/** `checkVisibility` also recognizes the content of closed details, but is newer than our oldest browsers. */
const isShown = (element: Element): boolean =>
  'checkVisibility' in element
    ? element.checkVisibility({ visibilityProperty: true })
    : getComputedStyle(element).visibility === 'visible';

const listObstacleBoxes = (selector: string, own: Element): Box[] =>
  [...document.querySelectorAll(selector)]
    .filter((it) => !own.contains(it) && !it.closest('[inert]'))
    .filter(isShown)
    .map((it) => it.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0)
    .map(({ left, top, right, bottom }) => ({
      left: left - minControlDistancePixels,
      top: top - minControlDistancePixels,
      right: right + minControlDistancePixels,
      bottom: bottom + minControlDistancePixels,
    }));

/**
 * Returns a position for the floating element `own` that covers no control, no link and, if there is room
 * beside them, no text of a form and no open dialog. Keeps the position `current` while it meets these
 * conditions. If no position does and `allowsOverlap` is true, the element may cover links and large controls
 * or, if there is still no room, everything except text fields and elements that stay in place while the page
 * scrolls.
 */
export const findUncoveredPosition = (
  own: Element,
  size: Size,
  current: Position | undefined,
  allowsOverlap: boolean,
): Position | undefined => {
  const { clientWidth, clientHeight } = document.documentElement;
  const top = window.visualViewport?.offsetTop ?? 0;
  const area: Box = {
    left: windowMarginPixels,
    right: clientWidth - windowMarginPixels,
    top: top + windowMarginPixels / 2,
    bottom: top + (window.visualViewport?.height ?? clientHeight) - windowMarginPixels,
  };
  const controlBoxes = listObstacleBoxes(controlSelector, own);
  const obstacleBoxes = [...controlBoxes, ...listObstacleBoxes(linkAndErrorSelector, own)];
  const isLarge = (box: Box) => box.bottom - box.top > 3 * size.height;
  const textBoxes = [...obstacleBoxes, ...listObstacleBoxes(formTextSelector, own)];
  return (
    findFreePosition(size, area, [...textBoxes, ...listObstacleBoxes(dialogSelector, own)], current) ??
    findFreePosition(size, area, textBoxes, current) ??
    findFreePosition(size, area, obstacleBoxes, current) ??
    (allowsOverlap
      ? (findFreePosition(
          size,
          area,
          controlBoxes.filter((box) => !isLarge(box)),
          current,
        ) ?? findFreePosition(size, area, listObstacleBoxes(pinnedSelector, own)))
      : undefined)
  );
};
