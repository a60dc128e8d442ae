import type { ComponentType, ReactNode } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Dialog, DialogClose, type DialogProps } from './dialog.tsx';

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'description' | 'size'> {
  /** The id of the form among the children. */
  formId: string;
  /**
   * Label of the submit button. Undefined while there is no form to submit; the dialog then has no buttons
   * but Close.
   */
  submitLabel: string | undefined;
  submitVariant?: ButtonProps['variant'];
  /** The component of the submit button. By default, a plain button. */
  SubmitButton?: ComponentType<ButtonProps>;
  /** The button that closes the dialog without submitting the form. By default, a button labeled 'Cancel'. */
  dismissButton?: ReactNode;
  sending: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog around a form, with submit and cancel buttons. It is open as long as it is mounted. */
export function FormDialog({
  formId,
  submitLabel,
  submitVariant,
  SubmitButton = Button,
  dismissButton = <Button variant="secondary">Cancel</Button>,
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
        submitLabel && (
          <>
            <DialogClose>{dismissButton}</DialogClose>
            <SubmitButton type="submit" form={formId} variant={submitVariant} loading={sending}>
              {submitLabel}
            </SubmitButton>
          </>
        )
      }
    >
      {children}
    </Dialog>
  );
}
