import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { type ConsoleSection, consoleLinks, consoleSections } from './console-sections.ts';

interface ConsoleFrameProps {
  sections: readonly ConsoleSection[];
  open: ConsoleSection;
  children: ReactNode;
}

/**
 * The layout of the console: its navigation beside the open screen. In narrow windows the navigation is a
 * scrollable row above the screen.
 */
export function ConsoleFrame({ sections, open, children }: ConsoleFrameProps) {
  const row = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section scrolls its link into view
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (row.current && current) row.current.scrollLeft = current.offsetLeft - row.current.offsetLeft - 16;
  }, [open]);
  return (
    <div className="page-gutters flex flex-1 flex-col gap-5 py-5 md:py-8 lg:flex-row lg:gap-8">
      <nav aria-label="Console" className="lg:w-48 lg:shrink-0">
        <ul ref={row} className="scroll-row gap-1 border-line border-b lg:flex-col lg:border-b-0">
          {sections.map((section) => (
            <li key={section} className="shrink-0">
              <Link
                to={consoleLinks.section(section)}
                aria-current={section === open ? 'page' : undefined}
                className="flex min-h-11 items-center whitespace-nowrap rounded-md px-3 font-semibold text-ink-muted text-sm -outline-offset-2 hover:bg-hover hover:text-ink aria-[current]:bg-brand-soft aria-[current]:text-brand-text"
              >
                {consoleSections[section].title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
