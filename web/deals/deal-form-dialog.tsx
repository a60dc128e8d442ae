import { clsx } from 'clsx';
import { Button } from '#web/ui/button.tsx';
import { FormDialog, type FormDialogProps } from '#web/ui/form-dialog.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';

export interface DealFormDialogProps extends Omit<FormDialogProps, 'SubmitButton' | 'dismissButton'> {
  /** Label of the button that closes the dialog without sending the form. */
  dismissLabel?: string;
}

/** A dialog with a form that can only be sent online. The dialog is open as long as it is mounted. */
export function DealFormDialog({ dismissLabel, ...dialog }: DealFormDialogProps) {
  return (
    <FormDialog
      {...dialog}
      SubmitButton={OnlineOnlyButton}
      dismissButton={
        // On phones, there is no Cancel button: the close button is enough, and the form needs the space.
        <Button variant="secondary" className={clsx(!dismissLabel && 'max-md:hidden')}>
          {dismissLabel ?? 'Cancel'}
        </Button>
      }
    />
  );
}
