import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

/** Where the choice is remembered. */
export const storageKey = 'quad-theme';

/**
 * Runs in the head before the first paint: puts a chosen theme on <html>. Its text never changes, so
 * that one hash in the Content-Security-Policy covers it.
 */
export const themeScript = `try{var t=localStorage.getItem('${storageKey}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`;

const listeners = new Set<() => void>();

function readTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Puts the theme on the page and remembers it in this browser. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // Storage may be denied; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme in force, `system` while rendering on the server. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme, () => 'system');
