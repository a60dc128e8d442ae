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
 * Sets the color of the browser's frame to the chosen theme, since the document only knows the device's theme. Also
 * restores the choice when React renders the page again from its root after an error.
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
