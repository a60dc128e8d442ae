import { type RefObject, useEffect, useRef } from 'react';

/**
 * Calls a handler when its key is pressed while the focus is inside the element, but not in a form control. Shortcuts
 * that work everywhere on the page would get in the way of speech input (WCAG 2.1.4).
 */
export const useShortcuts = (
  element: RefObject<HTMLElement | null>,
  handlers: Record<string, () => void>,
): void => {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const handle = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, select, textarea');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const handler = latest.current[event.key];
      if (!handler) return;
      event.preventDefault();
      handler();
    };
    target.addEventListener('keydown', handle);
    return () => target.removeEventListener('keydown', handle);
  }, [element]);
};
