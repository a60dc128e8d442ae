import { useState } from 'react';
import { consoleCalls } from '#contract/console-calls.ts';
import type { ConsolePersonDetail } from '#contract/console-people.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { toast } from '#web/ui/toast.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { actOnPerson } from './person-actions.ts';

interface DialogProps {
  ownId: string;
  person: ConsolePersonDetail;
  onClose: () => void;
}

const suspensionLengths = [
  { value: '1', label: '1 day' },
  { value: '3', label: '3 days' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '', label: 'Permanently' },
];

export function SuspendPersonDialog({ ownId, person, onClose }: DialogProps) {
  const [days, setDays] = useState('7');
  return (
    <ReasonDialog
      title={`Suspend ${person.email}?`}
      description="Ends all sessions, refuses log-ins, hides the listings, and ends open offers and holds."
      confirmLabel="Suspend"
      danger
      draftName={`suspend account ${person.id}`}
      reasonHint="Emailed to the person and kept in the audit log."
      onClose={onClose}
      onConfirm={async (reason) => {
        await actOnPerson(ownId, person.id, {
          action: 'suspend',
          days: days === '' ? null : Number(days),
          reason,
        });
        toast.success('Account suspended');
      }}
    >
      <Field label="Duration">
        <Select options={suspensionLengths} value={days} onChange={(event) => setDays(event.target.value)} />
      </Field>
    </ReasonDialog>
  );
}

const roleOptions = [
  { value: 'user', label: 'None' },
  { value: 'moderator', label: 'Moderator: cases' },
  { value: 'administrator', label: 'Administrator: everything' },
] as const;

export function ChangeRoleDialog({ ownId, person, onClose }: DialogProps) {
  const [role, setRole] = useState<string>(person.console_role ?? 'user');
  return (
    <ReasonDialog
      title={`Role of ${person.email}`}
      description="A role opens the console once the person logs in with a second factor. The person is told."
      confirmLabel="Change role"
      draftName={`set_role account ${person.id}`}
      onClose={onClose}
      onConfirm={async (reason) => {
        const chosen = roleOptions.find(({ value }) => value === role)?.value ?? 'user';
        await actOnPerson(ownId, person.id, { action: 'set_role', role: chosen, reason });
        toast.success('Role changed');
      }}
    >
      <Field label="Role">
        <Select options={roleOptions} value={role} onChange={(event) => setRole(event.target.value)} />
      </Field>
    </ReasonDialog>
  );
}

interface DeletionProps {
  person: { id: string; email: string };
  /**
   * Id of the data deletion request that is completed by deleting the account, or undefined if there is none.
   */
  formId?: string | undefined;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeletePersonDialog({ person, formId, onDeleted, onClose }: DeletionProps) {
  return (
    <ReasonDialog
      title={`Delete ${person.email}?`}
      description="Removes the listings, photos, profile and log-in for good, at once. Messages to others stay, without a name. The owner is told by email."
      confirmLabel="Delete account"
      danger
      draftName={`delete account ${person.id}`}
      typed={{ label: 'Type the email address to confirm', text: person.email }}
      onClose={onClose}
      onConfirm={async (reason) => {
        await request(consoleCalls.deletePerson, {
          params: { id: person.id },
          body: { email: person.email, reason, ...(formId !== undefined && { form_id: formId }) },
        });
        toast.success('Account deleted');
        await queryClient.invalidateQueries({ queryKey: ['console-people'] });
        onDeleted();
      }}
    />
  );
}
