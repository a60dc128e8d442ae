import { Archive, ArchiveRestore, Bell, BellOff, EllipsisVertical, Mail, MailOpen } from 'lucide-react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Conversation } from '#contract/conversations.ts';
import { type ConversationChange, mutedForGood } from '#contract/inbox.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { useIsWideWindow } from '#web/lib/use-is-wide-window.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { DropdownMenu, MenuHeader, MenuItem } from '#web/ui/dropdown-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { archiveConversation, changeConversation } from './change-conversation.ts';
import { buildInboxPath, useInboxFilter } from './inbox-filter.ts';
import { type ConversationLinkState, wasOpenedFromList } from './link-state.ts';
import { getOtherParty } from './other-party.ts';

const hourMs = 60 * 60 * 1000;
const mutes = [
  { label: 'Mute for 8 hours', getEnd: () => new Date(Date.now() + 8 * hourMs).toISOString() },
  { label: 'Mute for 1 week', getEnd: () => new Date(Date.now() + 7 * 24 * hourMs).toISOString() },
  { label: 'Mute always', getEnd: () => mutedForGood },
];

export const isMuted = ({ muted_until: until }: Conversation): boolean =>
  until !== null && Date.parse(until) > Date.now();

/** Returns a function that shows the list instead of the conversation, if it is open. */
const useLeaveConversation = (id: string): (() => void) => {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [filter] = useInboxFilter();
  const { state } = useLocation();
  const twoPanes = useIsWideWindow();
  return () => {
    if (params.get('c')?.toLowerCase() !== id) return;
    if (!twoPanes && wasOpenedFromList(state)) void navigate(-1);
    else
      void navigate(buildInboxPath(filter), {
        replace: true,
        preventScrollReset: true,
        state: { chosen: false, fromList: false, isClosed: true } satisfies ConversationLinkState,
      });
  };
};

interface ConversationMenuProps {
  conversation: Conversation;
  ownId: string;
}

/** The items of a menu with which a person archives, mutes or marks a conversation. */
export function ConversationMenuItems({ conversation, ownId }: ConversationMenuProps) {
  const { id, archived, unread_count: unread } = conversation;
  const isOnline = useOnline();
  const leave = useLeaveConversation(id);
  const change = (given: ConversationChange) => changeConversation(ownId, id, given);
  return (
    <>
      {!isOnline && <MenuHeader>You’re offline</MenuHeader>}
      {unread > 0 ? (
        <MenuItem
          disabled={!isOnline}
          icon={<MailOpen aria-hidden="true" />}
          onSelect={() => void change({ unread: false })}
        >
          Mark as read
        </MenuItem>
      ) : (
        <MenuItem
          disabled={!isOnline}
          icon={<Mail aria-hidden="true" />}
          onSelect={() => void change({ unread: true }).then((changed) => changed && leave())}
        >
          Mark as unread
        </MenuItem>
      )}
      {isMuted(conversation) ? (
        <MenuItem
          disabled={!isOnline}
          icon={<Bell aria-hidden="true" />}
          onSelect={() => void change({ muted_until: null })}
        >
          Unmute
        </MenuItem>
      ) : (
        mutes.map(({ label, getEnd }) => (
          <MenuItem
            key={label}
            disabled={!isOnline}
            icon={<BellOff aria-hidden="true" />}
            onSelect={() => void change({ muted_until: getEnd() })}
          >
            {label}
          </MenuItem>
        ))
      )}
      {archived ? (
        <MenuItem
          disabled={!isOnline}
          icon={<ArchiveRestore aria-hidden="true" />}
          onSelect={() => void change({ archived: false })}
        >
          Move to inbox
        </MenuItem>
      ) : (
        <MenuItem
          disabled={!isOnline}
          icon={<Archive aria-hidden="true" />}
          onSelect={() => void archiveConversation(ownId, id).then((isGone) => isGone && leave())}
        >
          Archive
        </MenuItem>
      )}
    </>
  );
}

/** The menu of a row of the inbox. */
export function ConversationMenu({ conversation, ownId }: ConversationMenuProps) {
  return (
    <DropdownMenu
      trigger={
        <IconButton
          label={`More actions for ${isolateDirection(getOtherParty(conversation).name)}, ${isolateDirection(conversation.listing.title)}`}
          className="shrink-0 text-ink-muted"
        >
          <EllipsisVertical aria-hidden="true" />
        </IconButton>
      }
    >
      <ConversationMenuItems conversation={conversation} ownId={ownId} />
    </DropdownMenu>
  );
}
