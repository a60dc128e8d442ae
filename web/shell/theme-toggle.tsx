import { Monitor, Moon, Sun } from 'lucide-react';
import { chooseTheme, type Theme, useTheme } from './theme.ts';

const themeOptions: readonly { theme: Theme; label: string; Icon: typeof Sun }[] = [
  { theme: 'system', label: 'Theme of this device', Icon: Monitor },
  { theme: 'light', label: 'Light theme', Icon: Sun },
  { theme: 'dark', label: 'Dark theme', Icon: Moon },
];

/** Three buttons that select the theme: system, light or dark. Their colors are for the dark footer. */
export function ThemeToggle() {
  const current = useTheme();
  return (
    <fieldset className="inline-flex gap-1 rounded-full border border-white/25 p-1">
      <legend className="sr-only">Theme</legend>
      {themeOptions.map(({ theme, label, Icon }) => (
        <button
          key={theme}
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={current === theme}
          onClick={() => chooseTheme(theme)}
          className="grid size-11 place-items-center rounded-full text-on-brand-muted transition-colors hover:bg-white/10 aria-pressed:bg-white/18 aria-pressed:text-on-brand"
        >
          <Icon aria-hidden="true" className="size-5" />
        </button>
      ))}
    </fieldset>
  );
}
