import { clsx } from 'clsx';
import { Monitor, Moon, Sun } from 'lucide-react';
import { chooseTheme, type Theme, useTheme } from './theme.ts';

const themeOptions: readonly { theme: Theme; label: string; Icon: typeof Sun }[] = [
  { theme: 'system', label: 'Theme of this device', Icon: Monitor },
  { theme: 'light', label: 'Light theme', Icon: Sun },
  { theme: 'dark', label: 'Dark theme', Icon: Moon },
];

export interface ThemeToggleProps {
  /** `inverse` for the dark footer. */
  tone?: 'plain' | 'inverse';
}

/** Three buttons that select the theme: system, light or dark. */
export function ThemeToggle({ tone = 'plain' }: ThemeToggleProps) {
  const current = useTheme();
  return (
    <fieldset
      className={clsx(
        'inline-flex gap-1 rounded-full border p-1',
        tone === 'plain' ? 'border-line-strong' : 'border-white/25',
      )}
    >
      <legend className="sr-only">Theme</legend>
      {themeOptions.map(({ theme, label, Icon }) => (
        <button
          key={theme}
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={current === theme}
          onClick={() => chooseTheme(theme)}
          className={clsx(
            'grid size-11 place-items-center rounded-full transition-colors',
            tone === 'plain'
              ? 'text-ink-muted hover:bg-hover aria-pressed:bg-brand aria-pressed:text-on-brand'
              : 'text-on-brand-muted hover:bg-white/10 aria-pressed:bg-white/18 aria-pressed:text-on-brand',
          )}
        >
          <Icon aria-hidden="true" className="size-5" />
        </button>
      ))}
    </fieldset>
  );
}
