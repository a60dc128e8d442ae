import { useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { calls } from '#contract/calls.ts';
import { type Category, getCategoryLabel } from '#contract/categories.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { usePaused } from '#web/lib/use-paused.ts';
import { Button } from '#web/ui/button.tsx';

/** How long the title must stay unchanged before a category is asked for, in milliseconds. */
const pauseMs = 500;
/** Shorter titles rarely name the item. */
const minTitleLength = 4;
/** The server accepts longer ones, but their end decides nothing. */
const maxTitleLength = 100;

export interface CategorySuggestionProps {
  title: string;
  mascot: string;
  onChoose: (category: Category) => void;
}

/** Offers the category that similar titles have. Shows nothing while there is none, or if it cannot be loaded. */
export function CategorySuggestion({ title, mascot, onChoose }: CategorySuggestionProps) {
  const wanted = usePaused(title.trim().slice(0, maxTitleLength), pauseMs);
  const { data } = useQuery(
    {
      queryKey: ['category-suggestion', wanted],
      queryFn: ({ signal }) => request(calls.suggestCategory, { query: { title: wanted }, signal }),
      enabled: wanted.length >= minTitleLength,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
    queryClient,
  );
  const category = data?.category;
  if (title.trim().length < minTitleLength) return null;
  // The line keeps its height, so that a suggestion moves nothing when it arrives.
  return (
    <span role="status" className="-my-1 flex min-h-11 items-center">
      {category && (
        <Button
          variant="link"
          size="sm"
          icon={<Sparkles aria-hidden="true" className="size-4" />}
          onClick={() => onChoose(category)}
        >
          {`Suggested: ${getCategoryLabel(category, mascot)}`}
        </Button>
      )}
    </span>
  );
}
