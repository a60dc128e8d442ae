import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogClose, type DialogProps } from './dialog.tsx';

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'description' | 'size'> {
  /** The id of the form among the children. */
  formId: string;
  submitLabel: string;
  submitVariant?: ComponentProps<typeof Button>['variant'];
  sending: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a form, open from the start, with buttons to submit and cancel. */
export function FormDialog({
  formId,
  submitLabel,
  submitVariant,
  sending,
  onClose,
  children,
  ...dialog
}: FormDialogProps) {
  return (
    <Dialog
      {...dialog}
      open
      onOpenChange={onClose}
      keepOpen
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant={submitVariant} loading={sending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
