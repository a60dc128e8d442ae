import { clsx } from 'clsx';
import { History, LayoutGrid, Search } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import type { SuggestedListing } from '#contract/listings.ts';
import { lazyScript } from '#web/lib/lazy-script.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { listRecentSearches, rememberSearch } from './recent-searches.ts';
import { type Suggestion, suggest } from './suggestions.ts';

/** The ARIA state of the search box, for its list of suggestions. */
export interface ComboboxState {
  expanded: boolean;
  /** The ids of the list and of the active option. */
  controls?: string | undefined;
  active?: string | undefined;
}

export interface SearchSuggestionsProps {
  box: RefObject<HTMLInputElement | null>;
  onChange: (state: ComboboxState) => void;
}

/** Debounce before requesting suggestions, in milliseconds. */
const pauseMs = 150;

const findListings = async (q: string, signal: AbortSignal): Promise<SuggestedListing[]> => {
  const [{ request }, { calls }] = await lazyScript(() =>
    Promise.all([import('#web/lib/api.ts'), import('#contract/calls.ts')]),
  );
  return (await request(calls.suggestListings, { query: { q }, signal })).items;
};

const keyOf = (line: Suggestion): string => {
  if ('category' in line) return `category ${line.category}`;
  return 'search' in line ? `search ${line.search}` : line.slug;
};

/** Suggestions below the search box. Enter without an active option is a plain search. */
export function SearchSuggestions({ box, onChange }: SearchSuggestionsProps) {
  const navigate = useNavigate();
  const campus = useCampus();
  const listId = useId();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [recent, setRecent] = useState(listRecentSearches);
  const [found, setFound] = useState<SuggestedListing[]>([]);
  const [active, setActive] = useState(-1);

  const typed = text.trim();
  const lines = open ? suggest(text, { recent, found, mascot: campus.mascot }) : [];
  const expanded = lines.length > 0;
  const optionId = (index: number) => `${listId}-${index}`;

  const close = () => {
    setOpen(false);
    setActive(-1);
  };

  const choose = (line: Suggestion) => {
    close();
    box.current?.blur();
    if ('slug' in line) return navigate(links.product(line.slug));
    if ('category' in line) return navigate(links.category(line.category));
    if (box.current) box.current.value = line.search;
    setText(line.search);
    rememberSearch(line.search);
    navigate(links.search(line.search));
  };

  const hear = useEffectEvent((event: Event) => {
    const { value } = event.target as HTMLInputElement;
    if (event.type === 'blur') return close();
    setText(value);
    setRecent(listRecentSearches());
    setActive(-1);
    setOpen(true);
  });

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing) return;
    const line = lines[active];
    if (event.key === 'Enter' && line) {
      event.preventDefault();
      choose(line);
    } else if (event.key === 'Escape' && expanded) {
      event.preventDefault();
      close();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      // The box itself is one of the positions that the arrow keys cycle through.
      const places = lines.length + 1;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((current) => ((current + 1 + step + places) % places) - 1);
    }
  });

  const submit = useEffectEvent(() => {
    const search = box.current?.value.trim();
    if (search) rememberSearch(search);
    close();
  });

  useEffect(() => {
    const input = box.current;
    if (!input) return;
    const stop = new AbortController();
    const { signal } = stop;
    for (const type of ['focus', 'input', 'blur']) input.addEventListener(type, hear, { signal });
    input.addEventListener('keydown', press, { signal });
    input.form?.addEventListener('submit', submit, { signal });
    // Text that was typed before this script was loaded.
    setText(input.value);
    setOpen(document.activeElement === input);
    return () => stop.abort();
  }, [box]);

  useEffect(() => {
    if (!open || !typed) {
      setFound([]);
      return;
    }
    const stop = new AbortController();
    const pause = setTimeout(() => {
      // Suggestions are optional; without them the search still works.
      findListings(typed, stop.signal).then(
        (listings) => stop.signal.aborted || setFound(listings),
        () => stop.signal.aborted || setFound([]),
      );
    }, pauseMs);
    return () => {
      clearTimeout(pause);
      stop.abort();
    };
  }, [open, typed]);

  const announce = useEffectEvent(onChange);
  const activeId = expanded && active >= 0 ? optionId(active) : undefined;
  useEffect(() => {
    announce({ expanded, controls: expanded ? listId : undefined, active: activeId });
  }, [expanded, listId, activeId]);

  return (
    <>
      {expanded && (
        <div
          id={listId}
          role="listbox"
          aria-label="Suggestions"
          className="absolute inset-x-0 top-full z-50 mt-2 overflow-hidden rounded-lg border border-line bg-surface py-1.5 text-left shadow-lg"
        >
          {lines.map((line, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus stays in the box, which listens to the keys
            <div
              key={keyOf(line)}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              // The box keeps the focus, so the list stays open until the click arrives.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(line)}
              className={clsx(
                'flex min-h-11 cursor-pointer items-center gap-3 px-4 text-sm hover:bg-hover',
                index === active && 'bg-hover outline-2 outline-focus -outline-offset-2',
              )}
            >
              {'category' in line ? (
                <>
                  <LayoutGrid aria-hidden="true" className="size-4 shrink-0 text-ink-muted" />
                  <span className="truncate">{line.label}</span>
                  <span className="ml-auto shrink-0 text-ink-muted">Category</span>
                </>
              ) : 'search' in line ? (
                <>
                  <History aria-hidden="true" className="size-4 shrink-0 text-ink-muted" />
                  <span className="truncate">{line.search}</span>
                  <span className="sr-only">, searched before</span>
                </>
              ) : (
                <>
                  <Search aria-hidden="true" className="size-4 shrink-0 text-ink-muted" />
                  <span className="truncate">{line.title}</span>
                </>
              )}
            </div>
          ))}
        </div>
      )}
      <p role="status" className="sr-only">
        {expanded && `${lines.length} ${lines.length === 1 ? 'suggestion' : 'suggestions'}`}
      </p>
    </>
  );
}
