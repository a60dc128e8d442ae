import { queryOptions } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';

export const listingQuery = (slug: string) =>
  queryOptions({
    queryKey: ['listing', slug],
    queryFn: ({ signal }) => request(calls.getListing, { params: { slug }, signal }),
    refetchOnWindowFocus: true,
  });
