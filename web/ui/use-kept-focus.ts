import { useLayoutEffect, useRef } from 'react';

/**
 * Returns the props of an element that keeps the focus: when a control in it had the focus and a
 * render removes this control, the element takes the focus, instead of nothing. A dialog that was
 * opened in the element returns the focus to it, too, when its opener is gone.
 */
export const useKeptFocus = <E extends HTMLElement>() => {
  const element = useRef<E>(null);
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body)
      element.current?.focus({ preventScroll: true });
  });
  return {
    ref: element,
    tabIndex: -1,
    'data-keeps-focus': true,
    onFocus: () => {
      hasFocus.current = true;
    },
    onBlur: () => {
      hasFocus.current = false;
    },
  };
};
