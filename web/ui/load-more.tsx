import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { nearWindowOptions } from './use-has-come-near.ts';

export interface LoadMoreProps {
  /** Identifies the current end of the list, such as its cursor. A new value means that another page was added. */
  end: string;
  load: () => Promise<void>;
  /** The message shown when loading fails. */
  failed: string;
  className?: string | undefined;
}

/**
 * Placed at the end of a list that has more pages. Loads the next page when the end of the list
 * comes near the window, and shows a button as a fallback.
 */
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
      // If `load` finishes in the same task, React never renders the state `loading`, and the effect below
      // would not run again. Changing this counter makes it run.
      setAttempts((count) => count + 1);
    } catch {
      setState('failed');
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: observe again for a new end or after a load
  useEffect(() => {
    if (!box.current || state !== 'idle') return;
    const watcher = new IntersectionObserver(
      // A busy browser may deliver several observations at once. Only the last one is current.
      (entries) => entries.at(-1)?.isIntersecting && void loadNextPage(),
      nearWindowOptions,
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
