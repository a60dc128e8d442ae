import { useEffect } from 'react';

/**
 * Puts the unread count in front of the document title, as in "(3) Messages · Quad", and does so again whenever a screen
 * sets its title.
 */
export const useUnreadCountInTitle = (count: number): void => {
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
