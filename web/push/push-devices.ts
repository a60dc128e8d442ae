import { queryOptions, useQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';

export const pushDevicesQuery = (ownId: string) =>
  queryOptions({
    queryKey: ['push-devices', ownId],
    queryFn: async ({ signal }) => (await request(calls.listPushSubscriptions, { signal })).items,
  });

/** Returns whether any device of the person gets push notifications: undefined while it is loaded, true if that failed. */
export const useHasPushDevice = (ownId: string): boolean | undefined => {
  const { data, isError } = useQuery(pushDevicesQuery(ownId), queryClient);
  return data ? data.length > 0 : isError || undefined;
};
