import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { IconButton } from './icon-button.tsx';
import { InertPage, isOnToast } from './inert-page.tsx';

export interface DialogProps {
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  /**
   * The button that opens the dialog; omit it if the parent opens the dialog. On closing, the focus returns to the
   * opener in both cases.
   */
  trigger?: ReactNode;
  title: ReactNode;
  description?: ReactNode;
  /** Buttons at the bottom, the primary one last; they stay visible while the body scrolls. */
  actions?: ReactNode;
  size?: 'sm' | 'md' | 'lg' | undefined;
  /** Removes the body's padding, for example for a message thread. */
  flush?: boolean | undefined;
  /** Keeps the dialog open on a click outside; for forms, whose input would be lost. */
  keepOpen?: boolean | undefined;
  children?: ReactNode;
}

const widths = { sm: 'md:max-w-md', md: 'md:max-w-lg', lg: 'md:max-w-2xl' };

/** A modal dialog; on phones a sheet at the bottom. The focus stays inside and returns to the opener on closing. */
export function Dialog({
  open,
  onOpenChange,
  trigger,
  title,
  description,
  actions,
  size = 'md',
  flush = false,
  keepOpen = false,
  children,
}: DialogProps) {
  // Radix returns the focus only to its own trigger; without a trigger the focus would be lost.
  const opener = useRef<Element>(null);
  const rememberOpener = () => {
    opener.current = document.activeElement;
  };
  const returnFocus = (event: Event) => {
    if (trigger || !(opener.current instanceof HTMLElement)) return;
    event.preventDefault();
    // The opener may have been deleted by the dialog's action.
    const next = opener.current.isConnected ? opener.current : document.querySelector('h1');
    next?.focus();
  };
  return (
    <Primitive.Root
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      {trigger && <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>}
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 grid animate-overlay-in items-end bg-scrim md:place-items-center md:p-6">
          <Primitive.Content
            {...(description ? {} : { 'aria-describedby': undefined })}
            onOpenAutoFocus={rememberOpener}
            onCloseAutoFocus={returnFocus}
            onInteractOutside={(event) => (keepOpen || isOnToast(event)) && event.preventDefault()}
            className={clsx(
              'relative flex max-h-[92dvh] w-full animate-sheet-in flex-col overflow-hidden rounded-t-xl bg-surface shadow-lg outline-none md:max-h-[86dvh] md:animate-dialog-in md:rounded-xl',
              widths[size],
            )}
          >
            <InertPage />
            <div className="border-line border-b py-4.5 pr-16 pl-5 md:pl-6">
              <Primitive.Title className="font-extrabold text-xl">{title}</Primitive.Title>
              {description && (
                <Primitive.Description className="mt-1 text-ink-muted text-sm">
                  {description}
                </Primitive.Description>
              )}
            </div>
            {children && (
              <div
                className={clsx(
                  'min-h-0 flex-1 overflow-y-auto overscroll-contain',
                  !flush && 'px-5 py-5 md:px-6',
                )}
              >
                {children}
              </div>
            )}
            {actions && (
              <div className="flex flex-col-reverse gap-2.5 border-line border-t bg-surface px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:flex-row sm:justify-end md:px-6">
                {actions}
              </div>
            )}
            {/* The close button is last in the DOM, so that the first focus goes to the content. */}
            <Primitive.Close asChild>
              <IconButton label="Close" className="absolute top-2.5 right-2.5">
                <X aria-hidden="true" />
              </IconButton>
            </Primitive.Close>
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Wraps a button that closes its dialog. */
export const DialogClose = ({ children }: { children: ReactNode }) => (
  <Primitive.Close asChild>{children}</Primitive.Close>
);
