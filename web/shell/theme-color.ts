import { themeColors } from '#contract/pwa.ts';
import { themeStorageKey } from './theme.ts';

const frameColorByTheme = { light: themeColors.brand, dark: themeColors.brandDark };

const readStoredTheme = (): string | null => {
  try {
    return localStorage.getItem(themeStorageKey);
  } catch {
    // If storage is blocked, no theme has been stored.
    return null;
  }
};

/**
 * Keeps the `theme-color` meta tags, which color the browser's frame, in sync with the chosen theme; the HTML only has
 * the colors of the device's theme. Also restores the chosen theme when React renders <html> again after an error.
 */
export const syncThemeColor = (): void => {
  const root = document.documentElement;
  const applyFrameColor = (): void => {
    const storedTheme = root.dataset.theme === undefined && readStoredTheme();
    if (storedTheme) root.dataset.theme = storedTheme;
    const chosenTheme = root.dataset.theme as keyof typeof frameColorByTheme | undefined;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      meta.content = frameColorByTheme[chosenTheme ?? (meta.media.includes('dark') ? 'dark' : 'light')];
    }
  };
  applyFrameColor();
  new MutationObserver(applyFrameColor).observe(root, { attributeFilter: ['data-theme'] });
};
