import { useCallback, useEffect, useState } from 'react';

export interface Loaded<T> {
  data: T | undefined;
  /** The latest load failed; earlier data stays. */
  error: Error | undefined;
  loading: boolean;
  reload: () => void;
  /** Changes the data in place, for what is known before the server says so. */
  setData: (change: (data: T) => T) => void;
}

/**
 * Reads something in the browser, again whenever `key` changes, when asked to, and when the connection
 * comes back after a failure. Data of another key is never shown.
 */
export const useLoad = <T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> => {
  const [state, setState] = useState<{ key: string; data?: T; error?: Error; loading: boolean }>({
    key,
    loading: true,
  });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((current) => current + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` names what `load` reads; `round` asks again
  useEffect(() => {
    const control = new AbortController();
    setState((before) => (before.key === key ? { ...before, loading: true } : { key, loading: true }));
    load(control.signal).then(
      (data) => !control.signal.aborted && setState({ key, data, loading: false }),
      (reason: unknown) => {
        if (control.signal.aborted) return;
        const error = reason instanceof Error ? reason : new Error(String(reason));
        setState((before) => ({ ...before, error, loading: false }));
      },
    );
    return () => control.abort();
  }, [key, round]);

  const failed = state.error !== undefined;
  useEffect(() => {
    if (!failed) return;
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [failed, reload]);

  const setData = useCallback(
    (change: (data: T) => T) =>
      setState((before) => (before.data === undefined ? before : { ...before, data: change(before.data) })),
    [],
  );

  const current = state.key === key ? state : { key, loading: true };
  return { data: current.data, error: current.error, loading: current.loading, reload, setData };
};
