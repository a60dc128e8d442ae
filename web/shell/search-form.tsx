import { Search, X } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { links, routePatterns } from '#web/lib/links.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { ComboboxState } from './search-suggestions.tsx';

// If the suggestions' script cannot be loaded, the search works without them.
const SearchSuggestions = lazyComponent(
  async () => (await import('./search-suggestions.tsx')).SearchSuggestions,
  { failed: () => null },
);

/**
 * A plain HTML form that submits to /search; once scripts run, the router handles the submission. A blank query is not
 * submitted. The script of the suggestions is loaded on the first focus.
 */
export function SearchForm({ className }: { className?: string | undefined }) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  // Screens of the console have a parameter of the same name.
  const currentQuery = (pathname === routePatterns.search && new URLSearchParams(search).get('q')) || '';
  const displayedQuery = useRef(currentQuery);
  const box = useRef<HTMLInputElement>(null);
  const [hasRequestedSuggestions, setHasRequestedSuggestions] = useState(false);
  const [combobox, setCombobox] = useState<ComboboxState>({ expanded: false });

  // A navigation to another search updates the text in the box.
  useEffect(() => {
    if (displayedQuery.current === currentQuery) return;
    displayedQuery.current = currentQuery;
    if (box.current) box.current.value = currentQuery;
  }, [currentQuery]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const query = String(new FormData(event.currentTarget).get('q') ?? '').trim();
    if (!query) return;
    // Blur the search box, because the heading of the results takes the focus only if no field has
    // it. Blurring also closes the keyboard of a phone.
    box.current?.blur();
    await navigate(links.search(query));
  }

  const clear = () => {
    if (!box.current) return;
    box.current.value = '';
    box.current.focus();
    // The suggestions listen to this event.
    box.current.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const requestSuggestions = () => setHasRequestedSuggestions(true);

  return (
    <search className={className}>
      <form action={links.search()} method="get" onSubmit={submit} className="md:relative">
        <div className="relative">
          <input
            dir="auto"
            ref={box}
            type="text"
            role="combobox"
            name="q"
            defaultValue={currentQuery}
            inputMode="search"
            enterKeyHint="search"
            autoComplete="off"
            aria-label="Search"
            aria-autocomplete="list"
            aria-expanded={combobox.expanded}
            aria-controls={combobox.listId}
            aria-activedescendant={combobox.activeOptionId}
            onFocus={requestSuggestions}
            onInput={requestSuggestions}
            placeholder="Search by item or category..."
            className="peer min-h-11 w-full rounded-full border border-line-strong bg-raised text-ellipsis pr-12 not-placeholder-shown:pr-23 pl-4 text-base md:pl-5 transition-colors hover:border-ink-muted"
          />
          <button
            type="button"
            aria-label="Clear search"
            onClick={clear}
            className="absolute inset-y-0 right-11 grid w-11 place-items-center rounded-full text-ink-muted hover:bg-hover peer-placeholder-shown:hidden noscript:hidden"
          >
            <X aria-hidden="true" className="size-5" />
          </button>
          <button
            type="submit"
            aria-label="Search"
            className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-full text-brand-text hover:bg-hover"
          >
            <Search aria-hidden="true" className="size-5" />
          </button>
        </div>
        {hasRequestedSuggestions && <SearchSuggestions box={box} onChange={setCombobox} />}
      </form>
    </search>
  );
}
