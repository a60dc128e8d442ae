import { queryOptions } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';

export const pushDevicesQuery = (ownId: string) =>
  queryOptions({
    queryKey: ['push-devices', ownId],
    queryFn: async ({ signal }) => (await request(calls.listPushSubscriptions, { signal })).items,
  });
