import { Ban, EllipsisVertical, Flag, MessageSquareWarning } from 'lucide-react';
import { useState } from 'react';
import { isolateDirection } from '#contract/text-direction.ts';
import { type BlockablePerson, BlockDialog, setBlocked, useIsBlocked } from '#web/blocks/public.ts';
import { PersonReportDialog } from '#web/reports/public.ts';
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { MessageReportDialog } from './message-report-dialog.tsx';

export interface ThreadMenuProps {
  conversationId: string;
  other: BlockablePerson;
  ownId: string;
}

/** The menu of a thread: blocking the other person, and reporting them or one of their messages. */
export function ThreadMenu({ conversationId, other, ownId }: ThreadMenuProps) {
  const [dialog, setDialog] = useState<'block' | 'report' | 'report_message'>();
  const isBlocked = useIsBlocked(ownId, other.id);
  const close = () => setDialog(undefined);
  const dialogProps = { person: other, ownId, onClose: close };
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton label="More">
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem
          icon={<MessageSquareWarning aria-hidden="true" />}
          onSelect={() => setDialog('report_message')}
        >
          Report a message
        </MenuItem>
        <MenuItem
          icon={<Flag aria-hidden="true" />}
          onSelect={() => setDialog('report')}
        >{`Report ${isolateDirection(other.name)}`}</MenuItem>
        <MenuSeparator />
        {isBlocked ? (
          <MenuItem
            icon={<Ban aria-hidden="true" />}
            // `setBlocked` has already shown the failure in a toast.
            onSelect={() => void setBlocked(ownId, other, false).catch(() => undefined)}
          >{`Unblock ${isolateDirection(other.name)}`}</MenuItem>
        ) : (
          <MenuItem
            danger
            icon={<Ban aria-hidden="true" />}
            onSelect={() => setDialog('block')}
          >{`Block ${isolateDirection(other.name)}`}</MenuItem>
        )}
      </DropdownMenu>
      {dialog === 'block' && <BlockDialog {...dialogProps} />}
      {dialog === 'report' && <PersonReportDialog {...dialogProps} />}
      {dialog === 'report_message' && (
        <MessageReportDialog conversationId={conversationId} {...dialogProps} />
      )}
    </>
  );
}
