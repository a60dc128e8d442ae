import { Search } from 'lucide-react';
import type { FormEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

/** A plain form to /search that the router answers once script runs. A blank query does nothing. */
export function SearchForm({ className }: { className?: string | undefined }) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const shown = params.get('q') ?? '';

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const query = String(new FormData(event.currentTarget).get('q') ?? '').trim();
    if (query) navigate(`/search?${new URLSearchParams({ q: query })}`);
  }

  return (
    <search className={className}>
      <form action="/search" method="get" onSubmit={submit} className="relative">
        <input
          // Another search page brings another text.
          key={shown}
          type="search"
          name="q"
          defaultValue={shown}
          enterKeyHint="search"
          autoComplete="off"
          aria-label="Search"
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
      </form>
    </search>
  );
}
