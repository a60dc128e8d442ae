import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { InertPage, isEventOnToast } from './inert-page.tsx';
import { useCloseOnBack } from './use-close-on-back.ts';

export interface DialogProps {
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  /**
   * The button that opens the dialog. Omit it if the parent component opens the dialog. In both cases,
   * closing the dialog returns the focus to the element that had it before.
   */
  trigger?: ReactNode;
  title: ReactNode;
  description?: ReactNode;
  /** Buttons at the bottom, the primary one last; they stay visible while the body scrolls. */
  actions?: ReactNode;
  size?: 'sm' | 'md' | 'lg' | undefined;
  /** Removes the body's padding, for example for a message thread. */
  flush?: boolean | undefined;
  /** Keeps the dialog open on a click outside. For forms, whose input would be lost. */
  keepOpen?: boolean | undefined;
  children?: ReactNode;
}

const widthClasses = { sm: 'md:max-w-md', md: 'md:max-w-lg', lg: 'md:max-w-2xl' };

/** Where the focus returns when a dialog closes. */
interface FocusOrigin {
  opener: Element | null;
  /** The element around the opener that takes the focus if the opener no longer exists. */
  surroundings: HTMLElement | null;
}

/** The origin of a dialog that has just closed, until the focus has returned there. */
let pendingOrigin: FocusOrigin | undefined;

/**
 * Returns the origin of a dialog that opens. The opener is the focused element or, if that is a menu item, the
 * button of the menu, because the menu closes. A dialog that replaces another one has the same origin.
 */
const findOrigin = (): FocusOrigin => {
  if (pendingOrigin) return pendingOrigin;
  const focused = document.activeElement;
  const triggerId = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = (triggerId && document.getElementById(triggerId)) || focused;
  return { opener, surroundings: opener?.closest<HTMLElement>('[data-keeps-focus]') ?? null };
};

/**
 * A modal dialog. On phones, it is a sheet at the bottom. The focus stays inside and returns to the opener on
 * closing. Back and Escape close it.
 */
export function Dialog({
  open: controlledOpen,
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
  const [isTriggerOpen, setIsTriggerOpen] = useState(false);
  const open = controlledOpen ?? isTriggerOpen;
  const change = (next: boolean) => {
    setIsTriggerOpen(next);
    onOpenChange?.(next);
  };
  useCloseOnBack(open, () => change(false));
  // Remember the opener, because Radix only returns the focus to a `trigger` when the dialog closes.
  const origin = useRef<FocusOrigin>(undefined);
  useEffect(() => {
    if (!open) return;
    return () => {
      pendingOrigin = origin.current;
    };
  }, [open]);
  const closeButton = useRef<HTMLButtonElement>(null);
  const footer = useRef<HTMLDivElement>(null);
  const startFocus = ({ currentTarget }: Event) => {
    origin.current = findOrigin();
    const content = currentTarget as HTMLElement;
    // Radix focuses the first control right after this event. If that would be the Close button or a button
    // of a form, for example because the content is still loading, focus the dialog itself instead.
    queueMicrotask(() => {
      const { activeElement } = document;
      if (activeElement === closeButton.current || (keepOpen && footer.current?.contains(activeElement)))
        content.focus();
    });
  };
  const returnFocus = (event: Event) => {
    pendingOrigin = undefined;
    const { opener, surroundings } = origin.current ?? {};
    if (trigger || !(opener instanceof HTMLElement)) return;
    event.preventDefault();
    // The dialog's action may have removed the opener from the page. In this case, focus the element that
    // contained the opener, or the heading.
    const next = [opener, surroundings].find((it) => it?.isConnected);
    (next ?? document.querySelector('h1'))?.focus();
  };
  return (
    <Primitive.Root open={open} onOpenChange={change}>
      {trigger && <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>}
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 grid animate-overlay-in items-end bg-scrim md:place-items-center md:p-6">
          <Primitive.Content
            {...(description ? {} : { 'aria-describedby': undefined })}
            onOpenAutoFocus={startFocus}
            onCloseAutoFocus={returnFocus}
            onInteractOutside={(event) => (keepOpen || isEventOnToast(event)) && event.preventDefault()}
            className={clsx(
              // In short windows the title scrolls with the content and only the buttons stay in place,
              // because there is too little room between title and buttons.
              !flush && 'short:scroll-pb-20 short:overflow-y-auto short:[&>*]:shrink-0',
              // On phones, a sheet leaves room above it, so that a toast can appear there without
              // covering its controls.
              'max-h-[84dvh] md:max-h-[86dvh] short:max-h-[92dvh]',
              // With very large text, title and buttons leave little room, and the whole dialog scrolls.
              'relative flex w-full [--bottom-bar:0rem] animate-sheet-in flex-col overflow-y-auto overscroll-contain rounded-t-xl bg-surface shadow-lg outline-none forced-colors:border md:animate-dialog-in md:rounded-xl',
              widthClasses[size],
            )}
          >
            <InertPage />
            <div className="shrink-0 border-line border-b py-4.5 pr-16 pl-5 short:py-3 md:pl-6">
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
                  'shrink-to-part flex-1 overflow-y-auto',
                  flush
                    ? 'flex flex-col'
                    : 'short:min-h-auto short:flex-none short:overflow-visible px-5 pt-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] md:px-6',
                )}
              >
                {children}
              </div>
            )}
            {actions && (
              <div
                ref={footer}
                className="flex shrink-0 flex-col-reverse gap-2.5 border-line border-t bg-surface px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] short:sticky short:bottom-0 short:z-10 short:py-2 sm:flex-row sm:justify-end md:px-6"
              >
                {actions}
              </div>
            )}
            {/* The Close button is last in the DOM, so that opening the dialog focuses its content first. */}
            <Primitive.Close asChild>
              <IconButton ref={closeButton} label="Close" className="absolute top-2.5 right-2.5">
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
