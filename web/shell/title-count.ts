import { useEffect } from 'react';

/**
 * Puts a count before the title of every screen: "(3) Messages · Quad". Screens set their titles themselves, as ever;
 * whatever one of them writes is taken as the new title to put the count before.
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
