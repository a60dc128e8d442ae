import { links } from '#web/lib/links.ts';
import { LinkChips } from '#web/ui/link-chips.tsx';

/** Suggested searches (specification §2). */
const suggestedSearches = ['furniture', 'textbook', 'hoodie', 'ticket', 'rental', 'bike'];

export function SearchChips() {
  const chips = suggestedSearches.map((word) => ({ to: links.search(word), label: word }));
  return <LinkChips chips={chips} className="mt-4 justify-center" />;
}
