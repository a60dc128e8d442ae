import type { ReactNode } from 'react';

export interface ActionBarProps {
  /** Content before the actions, shown on phones only, for example a price that is out of view there. */
  aside?: ReactNode;
  /** The primary action of a screen, and perhaps a second one. */
  children: ReactNode;
}

/**
 * The primary action of a screen. On phones it is pinned to the bottom of the window; on wide
 * screens it stays in the flow of the page.
 */
export function ActionBar({ aside, children }: ActionBarProps) {
  return (
    <div
      data-action-bar
      className="max-md:above-bottom-bar max-md:fixed max-md:inset-x-0 max-md:m-0 max-md:z-30 max-md:border-line max-md:border-t max-md:bg-paper/95 max-md:pt-2.5 max-md:backdrop-blur-sm"
    >
      <div className="flex items-center gap-4 max-md:page-gutters">
        {aside && <div className="shrink-0 md:hidden">{aside}</div>}
        <div className="min-w-0 flex-1">{children}</div>
      </div>
    </div>
  );
}
