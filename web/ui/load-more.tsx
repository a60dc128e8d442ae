import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';

/** How close the end of a list must come before the next page is loaded. */
const loadAheadDistance = '800px';

export interface LoadMoreProps {
  /** Names the end of the list, such as its cursor: another end is watched again. */
  end: string;
  load: () => Promise<void>;
  /** Said when loading failed. */
  failed: string;
  className?: string | undefined;
}

/** The end of a list that has more: loads the next page as it comes near, with a button as fallback. */
export function LoadMore({ end, load, failed, className }: LoadMoreProps) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const [attempts, setAttempts] = useState(0);
  const box = useRef<HTMLDivElement>(null);

  async function loadNextPage() {
    if (state === 'loading') return;
    setState('loading');
    try {
      await load();
      setState('idle');
      // The state has not changed for React where the load ended in the same task, without a page.
      setAttempts((count) => count + 1);
    } catch {
      setState('failed');
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new end, or a finished load, is watched again
  useEffect(() => {
    if (!box.current || state !== 'idle') return;
    // `scrollMargin` does for a list that scrolls by itself what `rootMargin` does for the window.
    const options: IntersectionObserverInit & { scrollMargin: string } = {
      rootMargin: loadAheadDistance,
      scrollMargin: loadAheadDistance,
    };
    const watcher = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && void loadNextPage(),
      options,
    );
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, [end, state, attempts]);

  return (
    <div ref={box} className={clsx('text-center', className)}>
      {state === 'failed' && (
        <p role="alert" className="mb-3 text-danger">
          {failed}
        </p>
      )}
      <Button variant="secondary" loading={state === 'loading'} onClick={() => void loadNextPage()}>
        {state === 'failed' ? 'Try again' : 'Load more'}
      </Button>
    </div>
  );
}
