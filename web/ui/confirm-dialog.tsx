import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogClose } from './dialog.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  confirmLabel: string;
  /** Whether the action is destructive, such as a deletion. Its button is then red. */
  danger?: boolean | undefined;
  /**
   * Called on confirmation. The dialog stays open and shows progress until the promise settles; it closes
   * if the promise resolves.
   */
  onConfirm: () => void | Promise<void>;
  /** Additional content, for example a word to type. */
  children?: ReactNode;
  confirmDisabled?: boolean | undefined;
}

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  danger = false,
  onConfirm,
  children,
  confirmDisabled,
}: ConfirmDialogProps) {
  const [isConfirming, setIsConfirming] = useState(false);

  async function confirm() {
    setIsConfirming(true);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch {
      // The caller has already reported the error, so only keep the dialog open for another attempt.
    } finally {
      setIsConfirming(false);
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !isConfirming && onOpenChange(next)}
      title={title}
      description={description}
      size="sm"
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Cancel</Button>
          </DialogClose>
          <Button
            variant={danger ? 'danger' : 'primary'}
            loading={isConfirming}
            disabled={confirmDisabled}
            onClick={confirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
