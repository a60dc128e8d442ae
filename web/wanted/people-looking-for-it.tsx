import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { calls } from '#contract/calls.ts';
import type { CategorySearchColumn } from '#contract/category-fields.ts';
import { priceTextToNumber } from '#contract/price-text.ts';
import { wantedMatchBodySchema } from '#contract/wanted.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { usePaused } from '#web/lib/use-paused.ts';
import { describePeople } from './describe-people.ts';

/** How long the texts must stay unchanged before people are counted, in milliseconds. */
const pauseMs = 800;

export interface PeopleLookingForItProps {
  title: string;
  description: string;
  location: string;
  category: string;
  price: string;
  /** The values of the category's fields that searches read, by column. */
  fields: Partial<Record<CategorySearchColumn, string>>;
}

/** Says while a listing is being written how many people look for it. Shows nothing while there are none. */
export function PeopleLookingForIt({ price, fields, ...texts }: PeopleLookingForItProps) {
  const campus = useCampus();
  const paused = usePaused(
    JSON.stringify({ ...texts, ...fields, price: priceTextToNumber(campus, price) }),
    pauseMs,
  );
  const body = wantedMatchBodySchema.safeParse(JSON.parse(paused)).data;
  const { data } = useQuery(
    {
      queryKey: ['people-looking-for-it', paused],
      queryFn: ({ signal }) =>
        request(calls.countWantedMatches, { body: body as NonNullable<typeof body>, signal }),
      enabled: body !== undefined && body.title !== '',
      retry: false,
    },
    queryClient,
  );
  const people = data?.people ?? 0;
  return (
    <p role="status" className="text-sm">
      {people > 0 && (
        <span className="flex items-center gap-2 rounded-lg bg-lawn-soft p-4 font-semibold text-lawn-text">
          <Users aria-hidden="true" className="size-5 shrink-0" />
          <span>{describePeople(people)}</span>
        </span>
      )}
    </p>
  );
}
