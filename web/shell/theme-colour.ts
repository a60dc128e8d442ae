import { frameColors } from '#contract/offline.ts';
import { storageKey } from './theme.ts';

const inThemes = { light: frameColors.brand, dark: frameColors.brandDark };

const remembered = (): string | null => {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    // Storage may be blocked.
    return null;
  }
};

/**
 * Sets the color of the browser's frame to the chosen theme, since the document only knows the device's theme. Also
 * restores the choice when React renders the page again from its root after an error.
 */
export const followThemeColour = (): void => {
  const root = document.documentElement;
  const colour = (): void => {
    const lost = root.dataset.theme === undefined && remembered();
    if (lost) root.dataset.theme = lost;
    const chosen = root.dataset.theme as keyof typeof inThemes | undefined;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      meta.content = inThemes[chosen ?? (meta.media.includes('dark') ? 'dark' : 'light')];
    }
  };
  colour();
  new MutationObserver(colour).observe(root, { attributeFilter: ['data-theme'] });
};
