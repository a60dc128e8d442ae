import { Link } from 'react-router';
import { consoleCalls } from '#contract/console-calls.ts';
import { type ConsoleForm, submittedFormKinds, submittedFormStates } from '#contract/console-forms.ts';
import { request } from '#web/lib/api.ts';
import { formatCampusDateTime } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { FilterRow, SelectFilter, useUrlFilter } from '../console-filters.tsx';
import { ConsoleList } from '../console-list.tsx';
import type { ConsoleScreenProps } from '../console-screen.ts';
import { consoleLinks } from '../console-sections.ts';
import { ConsoleTable } from '../console-table.tsx';
import { EmailAddress } from '../email-address.tsx';
import { useConsoleList } from '../use-console-list.ts';
import { SubmittedFormScreen } from './form-screen.tsx';
import { formKindLabels, getFormTitle } from './form-texts.ts';

/** Lists the forms that people have submitted, or shows the one whose id is in the path. */
export function SubmittedFormsScreen({ ownId, id }: ConsoleScreenProps) {
  return id === undefined ? (
    <FormList ownId={ownId} />
  ) : (
    <SubmittedFormScreen key={id} ownId={ownId} id={id} />
  );
}

function FormList({ ownId }: { ownId: string }) {
  const campus = useCampus();
  const [kindText] = useUrlFilter('kind');
  const [stateText] = useUrlFilter('state');
  const kind = submittedFormKinds.find((it) => it === kindText);
  const state = submittedFormStates.find((it) => it === stateText);
  const list = useConsoleList(['console-forms', ownId, kind, state], (cursor, signal) =>
    request(consoleCalls.listForms, {
      query: { ...(kind && { kind }), ...(state && { state }), ...(cursor && { cursor }) },
      signal,
    }),
  );
  return (
    <>
      <PageHeading className="mb-4!">Forms</PageHeading>
      <FilterRow>
        <SelectFilter
          name="state"
          label="State"
          options={[
            { value: '', label: 'Open' },
            { value: 'done', label: 'Done' },
            { value: 'all', label: 'All' },
          ]}
        />
        <SelectFilter
          name="kind"
          label="Kind"
          options={[
            { value: '', label: 'All kinds' },
            ...submittedFormKinds.map((value) => ({ value, label: formKindLabels[value] })),
          ]}
        />
      </FilterRow>
      <ConsoleList list={list} what="forms" empty="No forms here">
        {(forms) => (
          <ConsoleTable
            label="Forms"
            rows={forms}
            getKey={(form) => form.id}
            columns={[
              { title: 'Form', cell: (form) => <FormLink form={form} /> },
              {
                title: 'From',
                cell: ({ email }) => (email ? <EmailAddress>{email}</EmailAddress> : 'Unknown'),
              },
              { title: 'Sent', cell: ({ created_at }) => formatCampusDateTime(created_at, campus) },
              {
                title: 'State',
                cell: ({ done_at }) => (
                  <Badge tone={done_at ? 'neutral' : 'brand'}>{done_at ? 'Done' : 'Open'}</Badge>
                ),
              },
            ]}
          />
        )}
      </ConsoleList>
    </>
  );
}

function FormLink({ form }: { form: ConsoleForm }) {
  return (
    <Link to={consoleLinks.form(form.id)} className="block min-h-11 py-1">
      <span className="font-semibold underline">
        <bdi>{getFormTitle(form)}</bdi>
      </span>
      {form.title && <span className="block text-ink-muted">{formKindLabels[form.kind]}</span>}
    </Link>
  );
}
