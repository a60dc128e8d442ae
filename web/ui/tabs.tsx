import { clsx } from 'clsx';
import { Tabs as Primitive } from 'radix-ui';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';

export interface Tab {
  value: string;
  label: string;
  /** A number that is displayed in a pill after the label. */
  count?: number | undefined;
  content: ReactNode;
}

export interface TabsProps {
  /** Accessible name of the tab list. */
  label: string;
  tabs: readonly Tab[];
  value: string;
  onValueChange: (value: string) => void;
}

/**
 * Focuses a pressed tab without a focus ring. Otherwise Radix would focus it from a script, and the browser would show
 * the ring as if the keyboard were used.
 */
const focusTabWithoutRing = (event: MouseEvent<HTMLElement>): void => {
  if (event.button === 0 && !event.ctrlKey) event.currentTarget.focus({ focusVisible: false });
};

export function Tabs({ label, tabs, value, onValueChange }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  // On phones the tab list scrolls, so the open tab is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value opens another tab
  useEffect(() => {
    const row = list.current;
    const open = row?.querySelector<HTMLElement>('[data-state=active]');
    if (!row || !open) return;
    row.scrollLeft = open.offsetLeft - row.offsetLeft - (row.clientWidth - open.clientWidth) / 2;
  }, [value]);
  return (
    <Primitive.Root value={value} onValueChange={onValueChange}>
      <Primitive.List
        ref={list}
        aria-label={label}
        className="scroll-row gap-1 border-line border-b px-0.5 pt-1"
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            onMouseDown={focusTabWithoutRing}
            className="group -mb-px flex min-h-11 shrink-0 items-center gap-1.5 whitespace-nowrap border-transparent border-b-3 px-2.5 font-semibold text-ink-muted text-sm -outline-offset-2 transition-colors hover:text-ink sm:gap-2 sm:px-4 data-[state=active]:border-brand-text data-[state=active]:text-brand-text"
          >
            <span>{tab.label}</span>
            {tab.count !== undefined && (
              <span
                className={clsx(
                  'figures min-w-6 rounded-full bg-sunken px-2 py-0.5 text-center text-ink-muted text-xs',
                  'group-data-[state=active]:bg-brand-soft group-data-[state=active]:text-brand-text',
                )}
              >
                {tab.count}
              </span>
            )}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} className="pt-4 md:pt-6">
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
