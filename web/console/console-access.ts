import { useQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { ConsoleRole } from '#contract/console.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';

/**
 * What the signed-in person may do in the console. `refused` means that the person has no role.
 * `needs_second_factor` means that they have a role but did not complete a second factor in this session.
 */
export type ConsoleAccess =
  | { state: 'loading' }
  | { state: 'refused' }
  | { state: 'needs_second_factor'; retry: () => void }
  | { state: 'failed'; retry: () => void }
  | { state: 'granted'; role: ConsoleRole };

/** Asks the server what the signed-in person may do in the console, and returns the answer. */
export const useConsoleAccess = (ownId: string): ConsoleAccess => {
  const { data, error, refetch } = useQuery(
    { queryKey: ['console-access', ownId], queryFn: () => request(calls.getConsoleAccess, {}) },
    queryClient,
  );
  if (data) return { state: 'granted', role: data.role };
  if (!error) return { state: 'loading' };
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'role_required') return { state: 'refused' };
  const state = code === 'second_factor_required' ? 'needs_second_factor' : 'failed';
  return { state, retry: () => void refetch() };
};
