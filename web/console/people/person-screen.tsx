import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { consoleCalls } from '#contract/console-calls.ts';
import type { ConsolePersonDetail } from '#contract/console-people.ts';
import { request } from '#web/lib/api.ts';
import { formatCampusDate, formatCampusDateTime, formatCount } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useNavigateUnlessLeft } from '#web/lib/use-has-left.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { toast } from '#web/ui/toast.ts';
import { BackToSection, ConsoleItemPlaceholder } from '../back-to-section.tsx';
import { consoleLinks } from '../console-sections.ts';
import { ConsoleTable } from '../console-table.tsx';
import { DescriptionList } from '../description-list.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import {
  actOnPerson,
  getPersonQueryKey,
  listReasonOnlyPersonActions,
  type PersonActionTexts,
} from './person-actions.ts';
import { ChangeRoleDialog, DeletePersonDialog, SuspendPersonDialog } from './person-dialogs.tsx';
import { PersonStateBadges } from './person-state.tsx';

/** Shows an account and the actions that an administrator can take on it. */
export function PersonScreen({ ownId, id }: { ownId: string; id: string }) {
  const { data, error, refetch } = useQuery(
    {
      queryKey: getPersonQueryKey(ownId, id),
      queryFn: () => request(consoleCalls.getPerson, { params: { id } }),
    },
    queryClient,
  );
  if (data) return <Person ownId={ownId} person={data} />;
  return <ConsoleItemPlaceholder section="people" error={error} onRetry={() => void refetch()} />;
}

type OpenDialog = PersonActionTexts | 'suspend' | 'role' | 'delete';

function Person({ ownId, person }: { ownId: string; person: ConsolePersonDetail }) {
  const campus = useCampus();
  const navigate = useNavigateUnlessLeft();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const isOwn = person.id === ownId;
  return (
    <>
      <PageHeading
        className="mb-4!"
        above={<BackToSection section="people" />}
        subtitle={<span className="break-all">{person.email}</span>}
      >
        <bdi>{person.full_name ?? 'No name'}</bdi>
      </PageHeading>
      <div className="grid gap-5">
        <Card padded>
          <PersonStateBadges person={person} />
          <DescriptionList
            facts={[
              ['Joined', formatCampusDate(person.created_at, campus)],
              ['Campus address', person.campus_email ?? '–'],
              ['Role', person.console_role ?? 'None'],
              ['Second factor', person.has_second_factor ? 'Set up' : 'None'],
              [
                'Suspended',
                person.suspended_until
                  ? `Until ${formatCampusDateTime(person.suspended_until, campus)}`
                  : person.suspended_at
                    ? 'Permanently'
                    : '–',
              ],
              [
                'Listings',
                `${formatCount(person.published, campus)} published, ${formatCount(person.hidden, campus)} hidden`,
              ],
              ['Id', person.id],
            ]}
          />
          {person.confirmed_at && !person.suspended_at && (
            <p className="mt-3">
              <Link
                to={links.user(person.id)}
                className="inline-flex min-h-11 items-center text-brand-text underline"
              >
                Public profile
              </Link>
            </p>
          )}
        </Card>
        <ActionGroup title="Actions">
          {listReasonOnlyPersonActions(person, { isOwn, campus }).map((text) => (
            <Button key={text.action} variant="secondary" size="sm" onClick={() => setDialog(text)}>
              {text.label}
            </Button>
          ))}
          {!isOwn && (
            <>
              <Button variant="secondary" size="sm" onClick={() => setDialog('role')}>
                Change role
              </Button>
              <Button variant="secondary" size="sm" onClick={() => setDialog('suspend')}>
                {person.suspended_at ? 'Change suspension' : 'Suspend'}
              </Button>
              <Button variant="danger" size="sm" onClick={() => setDialog('delete')}>
                Delete account
              </Button>
            </>
          )}
        </ActionGroup>
        <section aria-label="Sessions">
          <h2 className="mb-3 font-extrabold text-lg">{`Sessions (${formatCount(person.sessions, campus)})`}</h2>
          {person.session_list.length > 0 && (
            <ConsoleTable
              label="Sessions"
              rows={person.session_list}
              getKey={({ id }) => id}
              columns={[
                { title: 'Device', cell: ({ device_name }) => device_name ?? 'Unknown' },
                { title: 'First used', cell: ({ created_at }) => formatCampusDateTime(created_at, campus) },
                {
                  title: 'Last used',
                  cell: ({ last_used_at }) => formatCampusDateTime(last_used_at, campus),
                },
              ]}
            />
          )}
        </section>
      </div>
      {dialog === 'suspend' && <SuspendPersonDialog ownId={ownId} person={person} onClose={close} />}
      {dialog === 'role' && <ChangeRoleDialog ownId={ownId} person={person} onClose={close} />}
      {dialog === 'delete' && (
        <DeletePersonDialog
          person={person}
          onClose={close}
          onDeleted={() => navigate(consoleLinks.section('people'))}
        />
      )}
      {typeof dialog === 'object' && (
        <ReasonDialog
          title={`${dialog.label}: ${person.email}`}
          description={dialog.description}
          confirmLabel={dialog.label}
          danger={dialog.danger}
          draftName={`${dialog.action} account ${person.id}`}
          onClose={close}
          onConfirm={async (reason) => {
            await actOnPerson(ownId, person.id, { action: dialog.action, reason });
            toast.success(dialog.done);
          }}
        />
      )}
    </>
  );
}

function ActionGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-3 font-extrabold text-lg">{title}</h2>
      <div data-keeps-focus tabIndex={-1} className="flex flex-wrap gap-2 outline-none">
        {children}
      </div>
    </section>
  );
}
