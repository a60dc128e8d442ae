import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';

/** Searches that usually find something (§2). */
const suggestions = ['furniture', 'textbook', 'hoodie', 'ticket', 'rental', 'bike'];

export function SearchChips() {
  return (
    <ul className="mt-4 flex flex-wrap justify-center gap-2">
      {suggestions.map((word) => (
        <li key={word}>
          <Link
            to={links.search(word)}
            className="inline-flex min-h-11 items-center rounded-full border border-line-strong bg-surface px-4 font-semibold text-ink text-sm transition-colors hover:bg-hover"
          >
            {word}
          </Link>
        </li>
      ))}
    </ul>
  );
}
