import { clsx } from 'clsx';
import { History, LayoutGrid, Search } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import type { SuggestedListing } from '#contract/listing-queries.ts';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useSession } from '#web/lib/use-session.ts';
import { useCloseOnBack } from '#web/ui/use-close-on-back.ts';
import { listRecentSearches, storeRecentSearch } from './recent-searches.ts';
import { listSuggestions, omitSellers, type Suggestion } from './suggestions.ts';

/** The state of the suggestion list, for the ARIA attributes of the search box. */
export interface ComboboxState {
  expanded: boolean;
  /** The HTML id of the list. `activeOptionId` is the HTML id of the active option. */
  listId?: string | undefined;
  activeOptionId?: string | undefined;
}

export interface SearchSuggestionsProps {
  box: RefObject<HTMLInputElement | null>;
  onChange: (state: ComboboxState) => void;
}

/** Debounce before requesting suggestions, in milliseconds. */
const debounceMs = 150;

/** Fetches the suggested listings, except those of people whom the signed-in person `ownId` has blocked. */
const fetchSuggestedListings = async (
  q: string,
  ownId: string | undefined,
  signal: AbortSignal,
): Promise<SuggestedListing[]> => {
  const [{ request }, { calls }, blocks] = await importLazyScript(() =>
    Promise.all([
      import('#web/lib/api.ts'),
      import('#contract/calls.ts'),
      ownId === undefined ? undefined : import('#web/blocks/public.ts'),
    ]),
  );
  const blockedIds = ownId === undefined ? [] : ((await blocks?.loadBlockedIds(ownId)) ?? []);
  const query = { q, ...(blockedIds.length > 0 && { per_seller: 'true' as const }) };
  const { items } = await request(calls.suggestListings, { query, signal });
  return omitSellers(items, blockedIds);
};

const toSuggestionKey = (suggestion: Suggestion): string => {
  if ('category' in suggestion) return `category ${suggestion.category}`;
  return 'search' in suggestion ? `search ${suggestion.search}` : suggestion.slug;
};

/** The list of suggestions below the search box. Enter without an active option submits the form. */
export function SearchSuggestions({ box, onChange }: SearchSuggestionsProps) {
  const navigate = useNavigate();
  const campus = useCampus();
  const ownId = useSession().user?.id;
  const listId = useId();
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [recent, setRecent] = useState(listRecentSearches);
  const [foundListings, setFoundListings] = useState<SuggestedListing[]>([]);
  const [activeIndex, setActiveIndex] = useState(-1);

  const trimmedText = text.trim();
  const suggestions = isOpen
    ? listSuggestions(text, { recent, found: foundListings, mascot: campus.mascot })
    : [];
  const expanded = suggestions.length > 0;
  const optionId = (index: number) => `${listId}-${index}`;

  const close = () => {
    setIsOpen(false);
    setActiveIndex(-1);
  };
  useCloseOnBack(expanded, close);

  const choose = (suggestion: Suggestion) => {
    close();
    box.current?.blur();
    if ('slug' in suggestion) return navigate(links.product(suggestion.slug));
    if ('category' in suggestion) return navigate(links.category(suggestion.category));
    if (box.current) box.current.value = suggestion.search;
    box.current?.form?.requestSubmit();
  };

  const handleInputEvent = useEffectEvent((event: Event) => {
    const { value } = event.target as HTMLInputElement;
    if (event.type === 'blur') return close();
    setText(value);
    setRecent(listRecentSearches());
    setActiveIndex(-1);
    setIsOpen(true);
  });

  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // In Safari, the key that confirms an input method's candidate has only this key code (WebKit bug 165004).
    if (event.isComposing || event.keyCode === 229) return;
    const suggestion = suggestions[activeIndex];
    if (event.key === 'Enter' && suggestion) {
      event.preventDefault();
      choose(suggestion);
    } else if (event.key === 'Escape' && expanded) {
      event.preventDefault();
      close();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setIsOpen(true);
      // The arrow keys cycle through all suggestions and the search box itself.
      const positionCount = suggestions.length + 1;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActiveIndex((current) => ((current + 1 + step + positionCount) % positionCount) - 1);
    }
  });

  const handleSubmit = useEffectEvent(() => {
    const search = box.current?.value.trim();
    if (search) storeRecentSearch(search);
    close();
  });

  useEffect(() => {
    const input = box.current;
    if (!input) return;
    const listenersController = new AbortController();
    const { signal } = listenersController;
    for (const type of ['focus', 'input', 'blur']) input.addEventListener(type, handleInputEvent, { signal });
    input.addEventListener('keydown', handleKeyDown, { signal });
    input.form?.addEventListener('submit', handleSubmit, { signal });
    // Use the text that the person typed before this script was loaded.
    setText(input.value);
    setIsOpen(document.activeElement === input);
    return () => listenersController.abort();
  }, [box]);

  useEffect(() => {
    if (!isOpen || !trimmedText) {
      setFoundListings([]);
      return;
    }
    const requestController = new AbortController();
    const debounceTimer = setTimeout(() => {
      // Suggestions are optional; without them the search still works.
      fetchSuggestedListings(trimmedText, ownId, requestController.signal).then(
        (listings) => requestController.signal.aborted || setFoundListings(listings),
        () => requestController.signal.aborted || setFoundListings([]),
      );
    }, debounceMs);
    return () => {
      clearTimeout(debounceTimer);
      requestController.abort();
    };
  }, [isOpen, trimmedText, ownId]);

  const reportState = useEffectEvent(onChange);
  const activeId = expanded && activeIndex >= 0 ? optionId(activeIndex) : undefined;
  useEffect(() => {
    reportState({ expanded, listId: expanded ? listId : undefined, activeOptionId: activeId });
  }, [expanded, listId, activeId]);

  return (
    <>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: keyboard users close it with Escape
        <div
          onClick={() => box.current?.blur()}
          className="absolute inset-x-0 top-full h-[calc(100dvh-100%)] animate-overlay-in bg-scrim md:hidden"
        />
      )}
      {expanded && (
        <div
          id={listId}
          role="listbox"
          aria-label="Suggestions"
          className="absolute inset-x-0 top-full z-50 overflow-hidden border-line border-b bg-surface py-1.5 text-left shadow-lg md:mt-2 md:rounded-lg md:border"
        >
          {suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus stays in the box, which handles the keys
            <div
              key={toSuggestionKey(suggestion)}
              id={optionId(index)}
              role="option"
              aria-selected={index === activeIndex}
              // Prevents the click from moving the focus out of the box, which would close the list
              // before the click takes effect.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(suggestion)}
              className={clsx(
                'flex min-h-11 cursor-pointer items-center gap-3 px-4 text-sm hover:bg-hover',
                index === activeIndex && 'bg-hover outline-2 outline-focus -outline-offset-2',
              )}
            >
              {'category' in suggestion ? (
                <>
                  <LayoutGrid aria-hidden="true" className="size-4 shrink-0 text-ink-muted" />
                  <span className="truncate">{suggestion.label}</span>
                  <span className="ml-auto shrink-0 text-ink-muted">Category</span>
                </>
              ) : 'search' in suggestion ? (
                <>
                  <History aria-hidden="true" className="size-4 shrink-0 text-ink-muted" />
                  <span dir="auto" className="truncate">
                    {suggestion.search}
                  </span>
                  <span className="sr-only">, searched before</span>
                </>
              ) : (
                <>
                  <Search aria-hidden="true" className="size-4 shrink-0 text-ink-muted" />
                  <span dir="auto" className="truncate">
                    {suggestion.title}
                  </span>
                </>
              )}
            </div>
          ))}
        </div>
      )}
      <p role="status" className="sr-only">
        {expanded && `${suggestions.length} ${suggestions.length === 1 ? 'suggestion' : 'suggestions'}`}
      </p>
    </>
  );
}
