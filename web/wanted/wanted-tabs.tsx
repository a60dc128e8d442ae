import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { isWantedTab } from './wanted-tab.ts';

const LazyWantedList = lazyComponent(async () => (await import('./wanted-list.tsx')).WantedList);

export interface WantedTabsProps {
  category?: string | undefined;
  /** The search text of the page. */
  q?: string | undefined;
  /** What is for sale. */
  children: ReactNode;
}

/** The two lists of a page: what is for sale, and what people look for, which loads when it is opened. */
export function WantedTabs({ category, q, children }: WantedTabsProps) {
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  const isWanted = isWantedTab(params);
  params.delete('tab');
  const rest = params.toString();
  const renderTab = (label: string, to: string, isOpen: boolean) => (
    <Link
      to={{ search: to }}
      preventScrollReset
      aria-current={isOpen ? 'page' : undefined}
      className={`inline-flex min-h-11 items-center rounded-full px-4 font-semibold text-sm ${isOpen ? 'bg-brand-soft text-brand-text' : 'text-ink-muted'}`}
    >
      {label}
    </Link>
  );
  return (
    <>
      <nav aria-label="Lists" className="flex gap-1">
        {renderTab('For sale', rest, !isWanted)}
        {renderTab('Wanted', `${rest && `${rest}&`}tab=wanted`, isWanted)}
      </nav>
      {isWanted ? <LazyWantedList category={category} q={q} /> : children}
    </>
  );
}
