import { isolateDirection } from '#contract/text-direction.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { type BlockablePerson, setBlocked } from './set-blocked.ts';

export interface BlockDialogProps {
  person: BlockablePerson;
  ownId: string;
  onClose: () => void;
}

/** Asks for confirmation before blocking a person, and lists the consequences. */
export function BlockDialog({ person, ownId, onClose }: BlockDialogProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Block ${isolateDirection(person.name)}?`}
      description={`${isolateDirection(person.name)} won’t be told.`}
      confirmLabel="Block"
      danger
      onConfirm={() => setBlocked(ownId, person, true)}
    >
      <ul className="list-disc space-y-1.5 pl-5 text-sm">
        <li>You can’t send each other messages or offers.</li>
        <li>
          Open offers and holds between you end, also if you unblock them later. An item that is rented out
          stays rented until it is returned.
        </li>
        <li>You no longer see their listings in lists and searches.</li>
      </ul>
    </ConfirmDialog>
  );
}
