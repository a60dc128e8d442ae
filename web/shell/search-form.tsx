import { Search } from 'lucide-react';
import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { links } from '#web/lib/links.ts';
import { lazyOr, nothing } from '#web/ui/lazy-or.ts';
import type { ComboboxState } from './search-suggestions.tsx';

// Without the suggestions' script the search still works.
const SearchSuggestions = lazyOr(
  async () => (await import('./search-suggestions.tsx')).SearchSuggestions,
  nothing,
);

/**
 * A plain form to /search, handled by the router once scripts run. A blank query does nothing. Suggestions are loaded on
 * the first focus.
 */
export function SearchForm({ className }: { className?: string | undefined }) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const asked = params.get('q') ?? '';
  const shown = useRef(asked);
  const box = useRef<HTMLInputElement>(null);
  const [helped, setHelped] = useState(false);
  const [combobox, setCombobox] = useState<ComboboxState>({ expanded: false });

  // Navigating to another search changes the text.
  useEffect(() => {
    if (shown.current === asked) return;
    shown.current = asked;
    if (box.current) box.current.value = asked;
  }, [asked]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const query = String(new FormData(event.currentTarget).get('q') ?? '').trim();
    if (!query) return;
    // The results' heading takes the focus, which also closes a phone's keyboard.
    box.current?.blur();
    navigate(links.search(query));
  }

  const help = () => setHelped(true);

  return (
    <search className={className}>
      <form action={links.search()} method="get" onSubmit={submit} className="relative">
        <input
          ref={box}
          type="text"
          role="combobox"
          name="q"
          defaultValue={asked}
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          aria-label="Search"
          aria-autocomplete="list"
          aria-expanded={combobox.expanded}
          aria-controls={combobox.controls}
          aria-activedescendant={combobox.active}
          onFocus={help}
          onInput={help}
          placeholder="Search by item or category..."
          className="min-h-11 w-full rounded-full border border-line-strong bg-raised pr-12 pl-5 text-base transition-colors hover:border-ink-muted"
        />
        <button
          type="submit"
          aria-label="Search"
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-full text-brand-text hover:bg-hover"
        >
          <Search aria-hidden="true" className="size-5" />
        </button>
        {helped && (
          <Suspense>
            <SearchSuggestions box={box} onChange={setCombobox} />
          </Suspense>
        )}
      </form>
    </search>
  );
}
