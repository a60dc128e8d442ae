import { useLayoutEffect, useRef } from 'react';

/**
 * Returns the props of an element that does not lose the focus: if a render removes the control that has
 * the focus, the element around it takes the focus. The same happens when a dialog closes after the control
 * that opened it has been removed from the element.
 */
export const useFocusFallback = <E extends HTMLElement>() => {
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
