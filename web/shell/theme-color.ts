import { themeColors } from '#contract/pwa.ts';
import { readBrowserText } from '#web/lib/stored-values.ts';

const frameColorByTheme = { light: themeColors.brand, dark: themeColors.brandDark };

/**
 * Keeps the `theme-color` meta tags, which color the browser's frame, in sync with the chosen theme; the HTML only has
 * the colors of the device's theme. Also restores the chosen theme when React renders <html> again after an error.
 */
export const syncThemeColor = (): void => {
  const root = document.documentElement;
  const applyFrameColor = (): void => {
    const storedTheme = root.dataset.theme === undefined && readBrowserText('quad-theme');
    if (storedTheme && storedTheme in frameColorByTheme) root.dataset.theme = storedTheme;
    const chosenTheme = root.dataset.theme as keyof typeof frameColorByTheme | undefined;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      meta.content = frameColorByTheme[chosenTheme ?? (meta.media.includes('dark') ? 'dark' : 'light')];
    }
  };
  applyFrameColor();
  new MutationObserver(applyFrameColor).observe(root, { attributeFilter: ['data-theme'] });
};
