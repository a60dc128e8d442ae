import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Box, findFreePosition } from './free-position.ts';

const availableArea: Box = { left: 16, right: 344, top: 16, bottom: 724 };
const toastSize = { width: 328, height: 52 };
const createFullWidthBox = (top: number, bottom: number): Box => ({ left: 0, right: 360, top, bottom });

describe('the position of a toast', () => {
  test('is at the bottom if there are no obstacles', () => {
    expect(findFreePosition(toastSize, availableArea, [])).toEqual({ left: 16, bottom: 724 });
  });

  test('is right above a bar at the bottom', () => {
    expect(findFreePosition(toastSize, availableArea, [createFullWidthBox(680, 740)])).toEqual({
      left: 16,
      bottom: 680,
    });
  });

  test('is the lowest gap that is high enough', () => {
    const obstacles = [
      createFullWidthBox(0, 100),
      createFullWidthBox(160, 300),
      createFullWidthBox(340, 740),
    ];
    expect(findFreePosition(toastSize, availableArea, obstacles)?.bottom).toBe(160);
  });

  test('is in the middle, otherwise at the right, otherwise at the left', () => {
    const small = { width: 100, height: 52 };
    const column = (left: number, right: number): Box => ({ left, right, top: 0, bottom: 740 });
    expect(findFreePosition(small, availableArea, [column(0, 60)])).toEqual({ left: 130, bottom: 724 });
    expect(findFreePosition(small, availableArea, [column(140, 150)])).toEqual({ left: 244, bottom: 724 });
    expect(findFreePosition(small, availableArea, [column(140, 344)])).toEqual({ left: 16, bottom: 724 });
  });

  test('does not change while it is free, even if a lower position is free', () => {
    const current = { left: 16, bottom: 352 };
    expect(findFreePosition(toastSize, availableArea, [createFullWidthBox(0, 100)], current)).toBe(current);
    expect(findFreePosition(toastSize, availableArea, [createFullWidthBox(310, 400)], current)).toEqual({
      left: 16,
      bottom: 724,
    });
  });

  test('is undefined if obstacles leave no room', () => {
    expect(
      findFreePosition(toastSize, availableArea, [createFullWidthBox(0, 380), createFullWidthBox(420, 740)]),
    ).toBeUndefined();
  });

  test('never overlaps an obstacle or leaves the area, and is found whenever one exists', () => {
    const box = fc
      .tuple(fc.nat(360), fc.nat(360), fc.nat(740), fc.integer({ min: 1, max: 120 }))
      .map(([a, b, top, height]) => ({
        left: Math.min(a, b),
        right: Math.max(a, b) + 1,
        top,
        bottom: top + height,
      }));
    const touches = (edge: number, { left, right, top, bottom }: Box) =>
      left < 344 && right > 16 && top < edge && bottom > edge - 52;
    fc.assert(
      fc.property(fc.array(box, { maxLength: 12 }), (obstacles) => {
        const free = Array.from({ length: 657 }, (_, at) => 68 + at).filter(
          (bottom) => !obstacles.some((it) => touches(bottom, it)),
        );
        expect(findFreePosition(toastSize, availableArea, obstacles)?.bottom).toBe(free.at(-1));
      }),
    );
  });
});
