import { useSyncExternalStore } from 'react';
import { createListeners } from '#web/lib/listeners.ts';
import { type BrowserKey, writeBrowserText } from '#web/lib/stored-values.ts';

export type Theme = 'system' | 'light' | 'dark';

const themeKey: BrowserKey = 'quad-theme';

/**
 * A script for the head that runs before the first paint and applies the chosen theme to <html>. Its text
 * is constant, so that one hash in the Content-Security-Policy covers it.
 */
export const themeScript = `try{var t=localStorage.getItem('${themeKey}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`;

const { subscribe, notify } = createListeners();

function readTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Applies the theme and stores it in this browser. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  writeBrowserText(themeKey, theme === 'system' ? null : theme);
  notify();
}

/** Returns the current theme; `system` on the server. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme, () => 'system');
