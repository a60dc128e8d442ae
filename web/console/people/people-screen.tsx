import { Link } from 'react-router';
import { consoleCalls } from '#contract/console-calls.ts';
import type { ConsolePerson } from '#contract/console-people.ts';
import { request } from '#web/lib/api.ts';
import { formatCampusDate, formatCount } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { FilterRow, SearchFilter, useUrlFilter } from '../console-filters.tsx';
import { ConsoleList } from '../console-list.tsx';
import type { ConsoleScreenProps } from '../console-screen.ts';
import { consoleLinks } from '../console-sections.ts';
import { ConsoleTable } from '../console-table.tsx';
import { EmailAddress } from '../email-address.tsx';
import { useConsoleList } from '../use-console-list.ts';
import { CreatePersonButton } from './create-person.tsx';
import { PersonScreen } from './person-screen.tsx';
import { PersonStateBadges } from './person-state.tsx';

/** Finds people by name or email address, or shows the person whose id is in the path. */
export function PeopleScreen({ ownId, id }: ConsoleScreenProps) {
  return id === undefined ? <PeopleList ownId={ownId} /> : <PersonScreen key={id} ownId={ownId} id={id} />;
}

function PeopleList({ ownId }: { ownId: string }) {
  const campus = useCampus();
  const [q] = useUrlFilter('q');
  const list = useConsoleList(['console-people', ownId, q], (cursor, signal) =>
    request(consoleCalls.listPeople, { query: { ...(q && { q }), ...(cursor && { cursor }) }, signal }),
  );
  return (
    <>
      <PageHeading className="mb-4!" actions={<CreatePersonButton />}>
        People
      </PageHeading>
      <FilterRow>
        <SearchFilter name="q" label="Name, email address or id" />
      </FilterRow>
      <ConsoleList list={list} what="people" empty="Nobody found">
        {(people) => (
          <ConsoleTable
            label="People"
            rows={people}
            getKey={({ id }) => id}
            columns={[
              { title: 'Person', cell: (person) => <PersonLink person={person} /> },
              { title: 'State', cell: (person) => <PersonStateBadges person={person} /> },
              { title: 'Listings', numeric: true, cell: ({ published }) => formatCount(published, campus) },
              { title: 'Joined', cell: ({ created_at }) => formatCampusDate(created_at, campus) },
            ]}
          />
        )}
      </ConsoleList>
    </>
  );
}

function PersonLink({ person }: { person: ConsolePerson }) {
  return (
    <Link to={consoleLinks.person(person.id)} className="block min-h-11 py-1">
      <span className="font-semibold underline">
        <bdi>{person.full_name ?? 'No name'}</bdi>
      </span>
      <span className="block text-ink-muted">
        <EmailAddress>{person.email}</EmailAddress>
      </span>
    </Link>
  );
}
