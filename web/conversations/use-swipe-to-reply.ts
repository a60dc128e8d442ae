import { type PointerEvent, useRef } from 'react';

/** How far a message is dragged before it is replied to, in pixels. */
const replyDistancePx = 56;
/** How far a finger moves sideways before the message follows it, in pixels. */
const startDistancePx = 12;
/** Swipes from the edge of the screen go back, so they are left alone. In pixels. */
const edgeWidthPx = 32;

interface Drag {
  x: number;
  y: number;
  isDragging: boolean;
}

/** The props of an element that a finger can drag towards its end to reply to the message in it. */
export const useSwipeToReply = (onReply: (() => void) | undefined) => {
  const drag = useRef<Drag>(undefined);
  if (!onReply) return {};
  const move = (element: HTMLElement, distance: number): void => {
    element.style.transform =
      distance > 0 ? `translateX(${Math.min(distance, replyDistancePx * 1.5)}px)` : '';
  };
  const end = (element: HTMLElement): void => {
    drag.current = undefined;
    move(element, 0);
  };
  return {
    // The browser scrolls up and down only, so that it reports sideways movements.
    style: { touchAction: 'pan-y' },
    onPointerDown: ({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent<HTMLElement>) => {
      const isSwipe = pointerType === 'touch' && isPrimary && x > edgeWidthPx;
      drag.current = isSwipe ? { x, y, isDragging: false } : undefined;
    },
    onPointerMove: ({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLElement>) => {
      const { current } = drag;
      if (!current) return;
      const distance = clientX - current.x;
      if (!current.isDragging) {
        if (Math.abs(clientY - current.y) > startDistancePx || distance < -startDistancePx)
          drag.current = undefined;
        if (!drag.current || distance < startDistancePx) return;
        current.isDragging = true;
        // The click after the swipe is then not one on a link or photo of the message.
        currentTarget.setPointerCapture(pointerId);
      }
      move(currentTarget, distance);
    },
    onPointerUp: ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
      const { current } = drag;
      end(currentTarget);
      if (current?.isDragging && clientX - current.x >= replyDistancePx) onReply();
    },
    onPointerCancel: ({ currentTarget }: PointerEvent<HTMLElement>) => end(currentTarget),
  };
};
