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

/** A dialog around a form, with submit and cancel buttons. It is open as long as it is mounted. */
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
