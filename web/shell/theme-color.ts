import { readBrowserText } from '#web/lib/stored-values.ts';

const listMetas = () => [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
const getThemeOf = ({ media }: HTMLMetaElement) => (media.includes('dark') ? 'dark' : 'light');

/**
 * Keeps the `theme-color` meta tags, which color the browser's frame, in sync with the chosen theme; the HTML only has
 * the colors of the device's theme. Also restores the chosen theme when React renders <html> again after an error.
 */
export const syncThemeColor = (): void => {
  const root = document.documentElement;
  const frameColorByTheme = Object.fromEntries(listMetas().map((meta) => [getThemeOf(meta), meta.content]));
  const applyFrameColor = (): void => {
    const storedTheme = root.dataset.theme === undefined && readBrowserText('quad-theme');
    if (storedTheme && storedTheme in frameColorByTheme) root.dataset.theme = storedTheme;
    for (const meta of listMetas())
      meta.content = frameColorByTheme[root.dataset.theme ?? getThemeOf(meta)] ?? meta.content;
  };
  applyFrameColor();
  new MutationObserver(applyFrameColor).observe(root, { attributeFilter: ['data-theme'] });
};
