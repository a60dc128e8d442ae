import { useLayoutEffect, useState } from 'react';

const findBanner = () => document.querySelector<HTMLElement>('[data-announcement]');

/**
 * Returns the height of the announcement banner at the top of the page in pixels, or 0 without one. The height
 * changes with the width of the window and when the announcement ends.
 */
export const useAnnouncementBannerHeight = (): number => {
  const [height, setHeight] = useState(() => findBanner()?.offsetHeight ?? 0);
  useLayoutEffect(() => {
    // An open page never gets another announcement, so the element is looked up once.
    const banner = findBanner();
    if (!banner) return;
    const observer = new ResizeObserver(() => setHeight(banner.offsetHeight));
    observer.observe(banner);
    return () => observer.disconnect();
  }, []);
  return height;
};
