import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useId } from 'react';
import { calls } from '#contract/calls.ts';
import { formatDay } from '#contract/deal-event-lines.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Input } from '#web/ui/input.tsx';

const gamesQuery = queryOptions({
  queryKey: ['games'],
  queryFn: ({ signal }) => request(calls.listGames, { signal }),
  staleTime: 60 * 60 * 1000,
});

export interface GameNameInputProps extends ComponentProps<typeof Input> {
  /** Called with the day of a game from the schedule when its name is chosen or typed. */
  onGame: (day: string) => void;
}

/** An input for the name of a game or event, which suggests those of the schedule. */
export function GameNameInput({ onGame, onChange, ...props }: GameNameInputProps) {
  const campus = useCampus();
  const listId = useId();
  const { data } = useQuery(gamesQuery, queryClient);
  const games = data?.items ?? [];
  return (
    <>
      <Input
        autoComplete="off"
        list={listId}
        {...props}
        onChange={(event) => {
          onChange?.(event);
          const game = games.find(({ name }) => name === event.target.value);
          if (game) onGame(game.day);
        }}
      />
      <datalist id={listId}>
        {games.map(({ day, name }) => (
          <option key={`${day} ${name}`} value={name}>
            {formatDay(day, campus)}
          </option>
        ))}
      </datalist>
    </>
  );
}
