import { queryClient } from '#web/lib/query-client.ts';

export const sessionsKey = (ownId: string) => ['sessions', ownId] as const;

/** Fetches the list of the account's sessions again if it is shown. Call it after a change that ends sessions. */
export const refreshSessions = (): void => void queryClient.invalidateQueries({ queryKey: ['sessions'] });
