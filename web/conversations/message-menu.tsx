import { EllipsisVertical, Reply, Undo2 } from 'lucide-react';
import type { Message } from '#contract/conversations.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { isUnsendable } from './unsending.ts';

export interface MessageMenuProps {
  /** The stored message, or undefined for one that is on this device only. */
  message: Message | undefined;
  onReply?: (() => void) | undefined;
  onUnsend?: (() => void) | undefined;
}

/** The menu of a message. */
export function MessageMenu(props: MessageMenuProps) {
  return (
    <DropdownMenu
      trigger={
        <IconButton label="Message options" className="opacity-60">
          <EllipsisVertical aria-hidden="true" className="size-4!" />
        </IconButton>
      }
    >
      <MessageMenuItems {...props} />
    </DropdownMenu>
  );
}

function MessageMenuItems({ message, onReply, onUnsend }: MessageMenuProps) {
  const isOnline = useOnline();
  const canUnsend = isOnline || !message;
  return (
    <>
      {onReply && (
        <MenuItem icon={<Reply aria-hidden="true" />} onSelect={onReply}>
          Reply
        </MenuItem>
      )}
      {onUnsend && (!message || isUnsendable(message)) && (
        <MenuItem icon={<Undo2 aria-hidden="true" />} disabled={!canUnsend} onSelect={onUnsend}>
          {canUnsend ? 'Unsend' : 'Unsend (you’re offline)'}
        </MenuItem>
      )}
    </>
  );
}
