export { openConversation } from './conversations.ts';
export {
  announceChangeAbout,
  announceChangeBySeller,
  announceChangeWith,
  announceConversationChange,
  announceEventLine,
  appendEventLine,
  appendLaterEventLine,
  type ConversationChange,
  findEventLine,
  type NewEventLine,
  openForOffer,
} from './event-lines.ts';
export {
  findConversationProgress,
  findSharedSeenSeq,
  findUnreadCounts,
  isTypingShared,
  listConversationParties,
  listConversationProgress,
  listMessagesAfter,
  listUnsentMessagesAfter,
} from './live-delivery.ts';
export { createMessageBatcher } from './message-batcher.ts';
export { countUnreadMessages, markMessagesRead, sendMessage } from './messages.ts';
export { findOrCreateConversation } from './opening.ts';
export { findConversationPush } from './push-source.ts';
export { findUnreadDigest, findWillingSeller, skipDueUnreadMail } from './unread-mail.ts';
export { unsendMessage } from './unsending.ts';
