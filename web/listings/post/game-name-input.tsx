import { queryOptions, useQuery } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { calls } from '#contract/calls.ts';
import { formatDay } from '#contract/deal-event-lines.ts';
import { request } from '#web/lib/api.ts';
import { groupBy } from '#web/lib/group-by.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Chip } from '#web/ui/chip.tsx';
import { Input } from '#web/ui/input.tsx';
import type { ListingFormMethods } from './submission.ts';

const gamesQuery = queryOptions({
  queryKey: ['games'],
  queryFn: ({ signal }) => request(calls.listGames, { signal }),
  staleTime: 60 * 60 * 1000,
});

/**
 * An input for the name of a game or event, which suggests those of the schedule. One of them sets the date of the game; if
 * there are several with this name, it asks for the day.
 */
export function GameNameInput({ form }: { form: ListingFormMethods }) {
  const campus = useCampus();
  const listId = useId();
  const { data } = useQuery(gamesQuery, queryClient);
  const days = groupBy(data?.items ?? [], ({ name }) => name);
  const listDays = (name: string) => (days.get(name) ?? []).map(({ day }) => day);
  const [name, date] = useWatch({ control: form.control, name: ['eventName', 'gameDate'] });
  /** The day that the name of a game has set; a typed one stays. */
  const setDay = useRef('');
  const setDate = (day: string) => {
    setDay.current = day;
    form.setValue('gameDate', day, { shouldDirty: true });
    form.clearErrors('gameDate');
  };
  const { onChange, ...input } = form.register('eventName');
  const choices = listDays(name);
  const asksForDay = choices.length > 1;
  return (
    <>
      <Input
        autoComplete="off"
        list={listId}
        {...input}
        onChange={(event) => {
          void onChange(event);
          const [day, ...others] = listDays(event.target.value);
          if (day === undefined || [day, ...others].includes(date)) return;
          if (others.length === 0) setDate(day);
          else if (date === setDay.current) setDate('');
        }}
      />
      <datalist id={listId}>
        {[...days.keys()].map((it) => (
          <option key={it} value={it}>
            {listDays(it)
              .map((day) => formatDay(day, campus))
              .join(' · ')}
          </option>
        ))}
      </datalist>
      <div className={asksForDay ? 'flex flex-wrap items-center gap-2' : 'sr-only'}>
        {/* Always here, so that screen readers announce the question. */}
        <span role="status" id={`${listId}-days`} className="text-sm">
          {asksForDay && 'Which day?'}
        </span>
        {asksForDay && (
          // biome-ignore lint/a11y/useSemanticElements: the group is a part of the field
          <div role="group" aria-labelledby={`${listId}-days`} className="flex flex-wrap gap-2">
            {choices.map((day) => (
              <Chip key={day} pressed={day === date} onClick={() => setDate(day)}>
                {formatDay(day, campus)}
              </Chip>
            ))}
          </div>
        )}
      </div>
    </>
  );
}
