import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { type KeyboardEventHandler, type ReactNode, useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { InertPage, isEventOnToast } from './inert-page.tsx';
import { useCloseOnBack } from './use-close-on-back.ts';

export interface FullScreenDialogProps {
  title: string;
  /** Content at the start of the top bar, for example a counter. */
  aside?: ReactNode;
  onClose: () => void;
  onKeyDown?: KeyboardEventHandler | undefined;
  children: ReactNode;
}

/**
 * A modal dialog that fills the screen with black. The focus stays inside and returns to the opener on closing. Back and
 * Escape close it.
 */
export function FullScreenDialog({ title, aside, onClose, onKeyDown, children }: FullScreenDialogProps) {
  const [opener] = useState(() => document.activeElement);
  useCloseOnBack(true, onClose);
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onInteractOutside={(event) => isEventOnToast(event) && event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener instanceof HTMLElement) opener.focus();
          }}
          className="dark-ground fixed inset-0 z-50 flex animate-overlay-in flex-col bg-black pb-[env(safe-area-inset-bottom)] text-white outline-none"
        >
          <InertPage />
          <Primitive.Title className="sr-only">{title}</Primitive.Title>
          <div className="flex min-h-14 items-center justify-between gap-4 pr-1.5 pl-4">
            <div className="font-semibold text-sm">{aside}</div>
            <Primitive.Close asChild>
              <IconButton label="Close" tone="inverse">
                <X aria-hidden="true" />
              </IconButton>
            </Primitive.Close>
          </div>
          <div className="relative min-h-0 flex-1">{children}</div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
