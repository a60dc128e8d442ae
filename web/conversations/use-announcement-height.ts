import { useLayoutEffect, useState } from 'react';

const findAnnouncement = () => document.querySelector<HTMLElement>('[data-announcement]');

/**
 * Returns the height of the announcement at the top of the page in pixels, or 0 without one. The height
 * changes with the width of the window and when the announcement ends.
 */
export const useAnnouncementHeight = (): number => {
  const [height, setHeight] = useState(() => findAnnouncement()?.offsetHeight ?? 0);
  useLayoutEffect(() => {
    // An open page never gets another announcement, so the element is looked up once.
    const announcement = findAnnouncement();
    if (!announcement) return;
    const observer = new ResizeObserver(() => setHeight(announcement.offsetHeight));
    observer.observe(announcement);
    return () => observer.disconnect();
  }, []);
  return height;
};
