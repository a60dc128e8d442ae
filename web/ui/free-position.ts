export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The position of a box: its left and its bottom edge, in pixels. */
export interface Position {
  left: number;
  bottom: number;
}

const doBoxesOverlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * Returns the lowest position within `area` where a box of this size overlaps no obstacle: centered if
 * possible, otherwise at the right, otherwise at the left. Returns undefined if there is none. Keeps the
 * position `current` while no obstacle overlaps it.
 */
export const findFreePosition = (
  { width, height }: Size,
  area: Box,
  obstacles: readonly Box[],
  current?: Position,
): Position | undefined => {
  const isFree = ({ left, bottom }: Position): boolean => {
    const box = { left, top: bottom - height, right: left + width, bottom };
    return (
      box.left >= area.left &&
      box.right <= area.right &&
      box.top >= area.top &&
      box.bottom <= area.bottom &&
      !obstacles.some((it) => doBoxesOverlap(it, box))
    );
  };
  if (current && isFree(current)) return current;
  const bottoms = [area.bottom, ...obstacles.map(({ top }) => top)].sort((a, b) => b - a);
  const lefts = [(area.left + area.right - width) / 2, area.right - width, area.left];
  return lefts.flatMap((left) => bottoms.map((bottom) => ({ left, bottom }))).find(isFree);
};
