import { useLayoutEffect, useRef } from 'react';

/**
 * Returns the props of an element that keeps the focus inside it: if a render removes the control that
 * has the focus, the element itself takes the focus. If a dialog was opened by a control in the element
 * and this control is gone when the dialog closes, the element takes the focus, too.
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
