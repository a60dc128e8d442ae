import { useEffect } from 'react';

/**
 * Puts a count in front of every screen's title: "(3) Messages · Quad". Screens still set their own titles; the count is
 * added whenever a title changes.
 */
export const useTitleCount = (count: number): void => {
  useEffect(() => {
    if (count <= 0) return;
    const prefix = `(${count > 99 ? '99+' : count}) `;
    let own = document.title;
    let written: string | undefined;

    const write = (): void => {
      if (document.title === written) return;
      own = document.title;
      written = `${prefix}${own}`;
      document.title = written;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { subtree: true, childList: true, characterData: true });
    return () => {
      observer.disconnect();
      if (document.title === written) document.title = own;
    };
  }, [count]);
};
