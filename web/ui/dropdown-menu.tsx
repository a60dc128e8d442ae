import { clsx } from 'clsx';
import { DropdownMenu as Primitive } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useCloseOnBack } from './use-close-on-back.ts';

export interface DropdownMenuProps {
  trigger: ReactNode;
  /** The menu's content: MenuItem, MenuSeparator and MenuHeader. */
  children: ReactNode;
}

/** A menu that Back and Escape close. */
export function DropdownMenu({ trigger, children }: DropdownMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  useCloseOnBack(isOpen, () => setIsOpen(false));
  return (
    <Primitive.Root modal={false} open={isOpen} onOpenChange={setIsOpen}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          // The action of a menu item may have moved the focus, for example to a dialog or to the heading
          // of another screen. In this case, do not return the focus to the trigger.
          onCloseAutoFocus={(event) => document.activeElement !== document.body && event.preventDefault()}
          className="z-50 min-w-56 max-w-[min(20rem,var(--radix-dropdown-menu-content-available-width))] animate-menu-in rounded-lg border border-line bg-raised p-1.5 shadow-lg"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

export interface MenuItemProps {
  icon?: ReactNode;
  onSelect?: (() => void) | undefined;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Renders the single child (such as a Link) as the item. Ignores `icon`. */
  asChild?: boolean | undefined;
  children: ReactNode;
}

export function MenuItem({ icon, onSelect, danger, disabled, asChild, children }: MenuItemProps) {
  return (
    <Primitive.Item
      asChild={asChild ?? false}
      disabled={disabled ?? false}
      {...(onSelect ? { onSelect } : {})}
      className={clsx(
        'flex min-h-11 cursor-pointer select-none items-center gap-3 rounded-md px-3 py-2 text-sm -outline-offset-3 data-disabled:cursor-not-allowed data-highlighted:bg-hover data-disabled:opacity-50 [&_svg]:size-5 [&_svg]:shrink-0',
        danger ? 'text-danger' : 'text-ink [&_svg]:text-ink-muted',
      )}
    >
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          <span>{children}</span>
        </>
      )}
    </Primitive.Item>
  );
}

export const MenuSeparator = () => <Primitive.Separator className="mx-2 my-1.5 h-px bg-line" />;

export const MenuHeader = ({ children }: { children: ReactNode }) => (
  <Primitive.Label className="px-3 py-2 text-sm">{children}</Primitive.Label>
);
