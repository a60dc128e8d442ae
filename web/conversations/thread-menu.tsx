import { Ban, EllipsisVertical, Flag, MessageSquareWarning } from 'lucide-react';
import { useState } from 'react';
import type { Conversation } from '#contract/conversations.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { type BlockablePerson, BlockDialog, setBlocked, useIsBlocked } from '#web/blocks/public.ts';
import { PersonReportDialog } from '#web/reports/public.ts';
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ConversationMenuItems } from './conversation-menu.tsx';
import { MessageReportDialog } from './message-report-dialog.tsx';

interface PersonMenuProps {
  other: BlockablePerson;
  isBlocked: boolean;
  ownId: string;
  openDialog: (dialog: 'block' | 'report' | 'report_message') => void;
}

/** The items for reporting the other person or one of their messages, and for blocking them. */
function PersonMenuItems({ other, isBlocked, ownId, openDialog }: PersonMenuProps) {
  return (
    <>
      <MenuItem
        icon={<MessageSquareWarning aria-hidden="true" />}
        onSelect={() => openDialog('report_message')}
      >
        Report a message
      </MenuItem>
      <MenuItem
        icon={<Flag aria-hidden="true" />}
        onSelect={() => openDialog('report')}
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
          onSelect={() => openDialog('block')}
        >{`Block ${isolateDirection(other.name)}`}</MenuItem>
      )}
    </>
  );
}

export interface ThreadMenuProps {
  conversation: Conversation;
  /** The other party, or undefined after their account was deleted. */
  other: BlockablePerson | undefined;
  ownId: string;
}

/**
 * The menu of a thread: archiving, muting and marking it, and reporting and blocking the other person.
 */
export function ThreadMenu({ conversation, other, ownId }: ThreadMenuProps) {
  const [dialog, setDialog] = useState<'block' | 'report' | 'report_message'>();
  const isBlocked = useIsBlocked(ownId, other?.id ?? null);
  const close = () => setDialog(undefined);
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton label="More">
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
      >
        <ConversationMenuItems conversation={conversation} ownId={ownId} />
        {other && (
          <>
            <MenuSeparator />
            <PersonMenuItems other={other} isBlocked={isBlocked} ownId={ownId} openDialog={setDialog} />
          </>
        )}
      </DropdownMenu>
      {other && dialog === 'block' && <BlockDialog person={other} ownId={ownId} onClose={close} />}
      {other && dialog === 'report' && <PersonReportDialog person={other} ownId={ownId} onClose={close} />}
      {other && dialog === 'report_message' && (
        <MessageReportDialog conversationId={conversation.id} person={other} ownId={ownId} onClose={close} />
      )}
    </>
  );
}
