import { useEffect } from 'react';

/**
 * Puts a count in front of every screen's title: "(3) Messages · Quad". Screens still set their own titles; the count is
 * added whenever a title changes.
 */
export const useTitleCount = (count: number): void => {
  useEffect(() => {
    if (count <= 0) return;
    const prefix = `(${count > 99 ? '99+' : count}) `;
    let screenTitle = document.title;
    let titleWithCount: string | undefined;

    const updateTitle = (): void => {
      if (document.title === titleWithCount) return;
      screenTitle = document.title;
      titleWithCount = `${prefix}${screenTitle}`;
      document.title = titleWithCount;
    };
    updateTitle();
    const observer = new MutationObserver(updateTitle);
    observer.observe(document.head, { subtree: true, childList: true, characterData: true });
    return () => {
      observer.disconnect();
      if (document.title === titleWithCount) document.title = screenTitle;
    };
  }, [count]);
};
