import { frameColours } from '#contract/offline.ts';

const inThemes = { light: frameColours.brand, dark: frameColours.brandInTheDark };

/** Colours the browser's frame in the chosen theme. The document itself knows only that of the device. */
export const followThemeColour = (): void => {
  const root = document.documentElement;
  const colour = (): void => {
    const chosen = root.dataset.theme as keyof typeof inThemes | undefined;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      meta.content = inThemes[chosen ?? (meta.media.includes('dark') ? 'dark' : 'light')];
    }
  };
  colour();
  new MutationObserver(colour).observe(root, { attributeFilter: ['data-theme'] });
};
