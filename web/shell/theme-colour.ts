import { frameColors } from '#contract/offline.ts';
import { themeStorageKey } from './theme.ts';

const frameColourByTheme = { light: frameColors.brand, dark: frameColors.brandDark };

const readStoredTheme = (): string | null => {
  try {
    return localStorage.getItem(themeStorageKey);
  } catch {
    // Storage may be blocked.
    return null;
  }
};

/**
 * Keeps the `theme-color` meta tags, which color the browser's frame, in sync with the chosen theme; the HTML only has
 * the colors of the device's theme. Also restores the chosen theme when React renders <html> again after an error.
 */
export const syncThemeColour = (): void => {
  const root = document.documentElement;
  const applyFrameColour = (): void => {
    const storedTheme = root.dataset.theme === undefined && readStoredTheme();
    if (storedTheme) root.dataset.theme = storedTheme;
    const chosenTheme = root.dataset.theme as keyof typeof frameColourByTheme | undefined;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      meta.content = frameColourByTheme[chosenTheme ?? (meta.media.includes('dark') ? 'dark' : 'light')];
    }
  };
  applyFrameColour();
  new MutationObserver(applyFrameColour).observe(root, { attributeFilter: ['data-theme'] });
};
