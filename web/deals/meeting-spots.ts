import { queryOptions } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';

export const meetingSpotsQuery = queryOptions({
  queryKey: ['meeting-spots'],
  queryFn: ({ signal }) => request(calls.listMeetingSpots, { signal }),
  staleTime: 60 * 60 * 1000,
  gcTime: 60 * 60 * 1000,
});
