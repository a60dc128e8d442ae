import { Archive, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type InboxTab, maxInboxSearchLength } from '#contract/inbox.ts';
import { Chip } from '#web/ui/chip.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Input } from '#web/ui/input.tsx';
import { type InboxFilter, useInboxFilter } from './inbox-filter.ts';

/** How long somebody stops typing before the search starts, in milliseconds. */
const searchDelayMs = 300;

const tabLabels: Record<InboxTab, string> = {
  all: 'All',
  buying: 'Buying',
  selling: 'Selling',
  unread: 'Unread',
};

/** The search, the tabs and the archive above the list of conversations. */
export function InboxToolbar() {
  const [filter, setFilter] = useInboxFilter();
  return (
    <div className="border-line border-b p-3">
      <div className="flex items-center gap-1">
        <InboxSearch filter={filter} setFilter={setFilter} />
        <IconButton
          label="Archived conversations"
          pressed={filter.archived}
          className="aria-pressed:bg-brand-soft"
          onClick={() => setFilter({ archived: !filter.archived })}
        >
          <Archive aria-hidden="true" />
        </IconButton>
      </div>
      <fieldset className="scroll-row mt-2 min-w-0 gap-2">
        <legend className="sr-only">Show</legend>
        {Object.entries(tabLabels).map(([tab, label]) => (
          <Chip key={tab} pressed={filter.tab === tab} onClick={() => setFilter({ tab: tab as InboxTab })}>
            {label}
          </Chip>
        ))}
      </fieldset>
    </div>
  );
}

interface InboxSearchProps {
  filter: InboxFilter;
  setFilter: (changes: Partial<InboxFilter>) => void;
}

/** Searches while somebody types. A navigation replaces the text. */
function InboxSearch({ filter, setFilter }: InboxSearchProps) {
  const { q } = filter;
  const [text, setText] = useState(q);
  const [previousQ, setPreviousQ] = useState(q);
  if (previousQ !== q) {
    setPreviousQ(q);
    if (text.trim() !== q) setText(q);
  }
  useEffect(() => {
    if (text.trim() === q) return;
    const timer = setTimeout(() => setFilter({ q: text.trim() }), searchDelayMs);
    return () => clearTimeout(timer);
  }, [text, q, setFilter]);
  return (
    <search className="min-w-0 flex-1">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setFilter({ q: text.trim() });
        }}
      >
        <Input
          type="search"
          aria-label="Search conversations"
          placeholder="Search conversations"
          leading={<Search className="size-5" />}
          value={text}
          maxLength={maxInboxSearchLength}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </search>
  );
}
