import { clsx } from 'clsx';
import { Button } from '#web/ui/button.tsx';
import { FormDialog, type FormDialogProps } from '#web/ui/form-dialog.tsx';
import { OnlineButton } from '#web/ui/online-button.tsx';

export interface DealFormDialogProps extends Omit<FormDialogProps, 'SubmitButton' | 'dismissButton'> {
  /** Label of the button that closes the dialog without doing anything. */
  dismissLabel?: string;
}

/** A dialog around a form whose submission needs a connection. It is open as long as it is mounted. */
export function DealFormDialog({ dismissLabel, ...dialog }: DealFormDialogProps) {
  return (
    <FormDialog
      {...dialog}
      SubmitButton={OnlineButton}
      dismissButton={
        // Phones show no Cancel button, because the cross closes the dialog, too, and the form needs the room.
        <Button variant="secondary" className={clsx(!dismissLabel && 'max-md:hidden')}>
          {dismissLabel ?? 'Cancel'}
        </Button>
      }
    />
  );
}
