import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useId, useState } from 'react';
import { isSignOnRequired } from '#contract/campus.ts';
import { maxPasskeyNameLength, maxPasskeys } from '#contract/passkeys.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { formatAge, formatCampusDate } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Input } from '#web/ui/input.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { toast } from '#web/ui/toast.ts';
import { findNeededProof, type NeededProof } from './needed-proof.ts';
import { addPasskey, fetchPasskeys, type Passkey, removePasskey, renamePasskey } from './passkey-actions.ts';
import { supportsPasskeys } from './passkey-support.ts';
import { ReauthenticationForm } from './reauthentication-form.tsx';
import type { ActionResult } from './session-actions.ts';

const getName = ({ friendly_name }: Passkey): string => friendly_name ?? 'Passkey';

type Task = { name: 'add'; needed: NeededProof } | { name: 'rename' | 'remove'; passkey: Passkey };

/** Lists the person's passkeys, with buttons that add, rename and remove them. */
export function PasskeySettings({ ownId, email }: { ownId: string; email: string }) {
  const campus = useCampus();
  const [task, setTask] = useState<Task>();
  const [isAdding, setIsAdding] = useState(false);
  const { data, isError, refetch } = useQuery(
    { queryKey: ['passkeys', ownId], queryFn: fetchPasskeys },
    queryClient,
  );

  /** Ends a task with its message. Returns the proof that the person first has to give, if any. */
  const finish = async (act: () => Promise<ActionResult>, done: string): Promise<NeededProof | undefined> => {
    const { error } = await act();
    const needed = findNeededProof(error);
    if (needed) return needed;
    setTask(undefined);
    if (error) toast.error(error.message);
    else toast.success(done);
    void refetch();
    return undefined;
  };
  const add = async (): Promise<void> => {
    setIsAdding(true);
    const needed = await finish(addPasskey, 'Passkey added');
    if (needed) setTask({ name: 'add', needed });
    setIsAdding(false);
  };

  if (!data) {
    return (
      <LoadingOrFailed
        what="your passkeys"
        isError={isError}
        onRetry={() => void refetch()}
        className="h-20"
      />
    );
  }
  const mayAdd = supportsPasskeys() && !isSignOnRequired(campus, email) && data.length < maxPasskeys;
  return (
    <div data-keeps-focus tabIndex={-1} className="flex flex-col gap-4 outline-none">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-prose text-ink-muted text-sm">
          {supportsPasskeys()
            ? 'Log in with your fingerprint, face or PIN, without a password or code.'
            : 'This browser cannot add passkeys.'}
        </p>
        {mayAdd && (
          <OnlineOnlyButton variant="secondary" loading={isAdding} onClick={() => void add()}>
            Add a passkey
          </OnlineOnlyButton>
        )}
      </div>
      {data.length > 0 && (
        <ul aria-label="Your passkeys" className="divide-y divide-line">
          {data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onChoose={setTask} />
          ))}
        </ul>
      )}
      {task?.name === 'add' && (
        <Dialog open onOpenChange={() => setTask(undefined)} keepOpen title="Add a passkey">
          <ReauthenticationForm email={email} needed={task.needed} onProved={() => void add()} />
        </Dialog>
      )}
      {task?.name === 'rename' && (
        <RenameDialog
          passkey={task.passkey}
          onRename={async (name) => {
            await finish(() => renamePasskey(task.passkey.id, name), 'Passkey renamed');
          }}
          onClose={() => setTask(undefined)}
        />
      )}
      {task?.name === 'remove' && (
        <RemoveDialog
          passkey={task.passkey}
          email={email}
          onRemove={() => finish(() => removePasskey(task.passkey.id), 'Passkey removed')}
          onClose={() => setTask(undefined)}
        />
      )}
    </div>
  );
}

function PasskeyRow({ passkey, onChoose }: { passkey: Passkey; onChoose: (task: Task) => void }) {
  const campus = useCampus();
  const name = getName(passkey);
  const { created_at: added, last_used_at: used } = passkey;
  return (
    <li className="flex gap-x-4 py-3 first:pt-0 last:pb-0">
      <KeyRound aria-hidden="true" className="size-6 shrink-0 text-ink-muted" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p dir="auto" className="break-words font-semibold">
            {name}
          </p>
          <p className="text-ink-muted text-sm">
            <span>{`Added ${formatCampusDate(added, campus)}`}</span>
            <span>{used ? ` · last used ${formatAge(used, new Date())} ago` : ' · not used yet'}</span>
          </p>
        </div>
        <div className="flex gap-3">
          <OnlineOnlyButton
            variant="secondary"
            size="sm"
            aria-label={`Rename ${name}`}
            onClick={() => onChoose({ name: 'rename', passkey })}
          >
            Rename
          </OnlineOnlyButton>
          <OnlineOnlyButton
            variant="secondary"
            size="sm"
            aria-label={`Remove ${name}`}
            onClick={() => onChoose({ name: 'remove', passkey })}
          >
            Remove
          </OnlineOnlyButton>
        </div>
      </div>
    </li>
  );
}

interface RemoveDialogProps {
  passkey: Passkey;
  email: string;
  /** Returns the proof that the person first has to give, if any. */
  onRemove: () => Promise<NeededProof | undefined>;
  onClose: () => void;
}

function RemoveDialog({ passkey, email, onRemove, onClose }: RemoveDialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [needed, setNeeded] = useState<NeededProof>();
  const remove = async (): Promise<void> => {
    setIsBusy(true);
    setNeeded(await onRemove());
    setIsBusy(false);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      keepOpen={needed !== undefined}
      size="sm"
      title={`Remove ${isolateDirection(getName(passkey))}?`}
      actions={
        !needed && (
          <>
            <DialogClose>
              <Button variant="secondary">Cancel</Button>
            </DialogClose>
            <OnlineOnlyButton variant="danger" loading={isBusy} onClick={() => void remove()}>
              Remove
            </OnlineOnlyButton>
          </>
        )
      }
    >
      {needed ? (
        <ReauthenticationForm email={email} needed={needed} onProved={() => void remove()} />
      ) : (
        <p>You can no longer log in with it. Browsers that are logged in stay so; log them out below.</p>
      )}
    </Dialog>
  );
}

interface RenameDialogProps {
  passkey: Passkey;
  onRename: (name: string) => Promise<void>;
  onClose: () => void;
}

function RenameDialog({ passkey, onRename, onClose }: RenameDialogProps) {
  const formId = useId();
  const [name, setName] = useState(getName(passkey));
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async (): Promise<void> => {
    if (!name.trim()) return setError('Please enter a name');
    setIsSending(true);
    await onRename(name);
    setIsSending(false);
  };
  return (
    <FormDialog
      title="Rename passkey"
      size="sm"
      formId={formId}
      submitLabel="Save"
      SubmitButton={OnlineOnlyButton}
      sending={isSending}
      onClose={onClose}
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label="Name" error={error} required>
          <Input
            dir="auto"
            maxLength={maxPasskeyNameLength}
            value={name}
            onChange={({ target }) => {
              setName(target.value);
              setError(undefined);
            }}
          />
        </Field>
      </form>
    </FormDialog>
  );
}
