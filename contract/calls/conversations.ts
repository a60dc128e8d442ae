import { successResponseSchema } from '../accounts.ts';
import {
  conversationLookupSchema,
  conversationSchema,
  inboxSchema,
  markReadSchema,
  messageListSchema,
  messageQuerySchema,
  messageSchema,
  notifySellerSchema,
  openConversationSchema,
  sendMessageSchema,
  unreadCountsSchema,
  unreadTotalSchema,
} from '../conversations.ts';
import { conversationChangeSchema, inboxQuerySchema } from '../inbox.ts';
import { idSchema } from '../text.ts';
import { declareCall, idParamsSchema } from './declare-call.ts';

const messageParamsSchema = idParamsSchema.extend({ message_id: idSchema });

/** Calls that open and read conversations, and that read and send their messages. */
export const conversationCalls = {
  listConversations: declareCall({
    method: 'GET',
    path: '/rest/v1/conversations',
    summary:
      "The caller's conversations, the latest first, fifty at a time, each with listing, other party and last message; those of a tab, those that contain a text, or the archived ones.",
    access: 'user',
    query: inboxQuerySchema,
    output: inboxSchema,
    errors: [],
  }),
  countUnread: declareCall({
    method: 'GET',
    path: '/rest/v1/conversations/unread',
    summary: 'How many messages the caller has not read, over all conversations.',
    access: 'user',
    output: unreadTotalSchema,
    errors: [],
  }),
  openConversation: declareCall({
    method: 'POST',
    path: '/rest/v1/conversations',
    summary:
      "Finds or creates the caller's conversation about a published listing; the seller sees it from the first message on.",
    access: 'user',
    body: openConversationSchema,
    output: conversationSchema,
    errors: ['listing_not_found', 'own_listing', 'contact_refused'],
    limit: 'write',
  }),
  findConversation: declareCall({
    method: 'GET',
    path: '/rest/v1/conversations/about/{id}',
    summary: "The caller's conversation about a listing, or null where they may start one.",
    access: 'user',
    params: idParamsSchema,
    output: conversationLookupSchema,
    notFound: 'listing_not_found',
    errors: ['own_listing', 'contact_refused'],
  }),
  getConversation: declareCall({
    method: 'GET',
    path: '/rest/v1/conversations/{id}',
    summary: "One of the caller's conversations.",
    access: 'user',
    params: idParamsSchema,
    output: conversationSchema,
    notFound: 'conversation_not_found',
    errors: [],
  }),
  changeConversation: declareCall({
    method: 'PATCH',
    path: '/rest/v1/conversations/{id}',
    summary: 'Archives a conversation, mutes it or marks it as unread, for the caller only.',
    access: 'user',
    params: idParamsSchema,
    body: conversationChangeSchema,
    output: conversationSchema,
    notFound: 'conversation_not_found',
    errors: [],
    limit: 'write',
  }),
  listMessages: declareCall({
    method: 'GET',
    path: '/rest/v1/conversations/{id}/messages',
    summary: 'Messages of a conversation, oldest first: the newest, those after a seq, or those before one.',
    access: 'user',
    params: idParamsSchema,
    query: messageQuerySchema,
    output: messageListSchema,
    notFound: 'conversation_not_found',
    errors: [],
  }),
  sendMessage: declareCall({
    method: 'POST',
    path: '/rest/v1/conversations/{id}/messages',
    summary:
      'Sends a message, with up to five photos, also as a reply to another one; the same client_id again answers with the stored message and writes nothing.',
    access: 'user',
    params: idParamsSchema,
    body: sendMessageSchema,
    output: messageSchema,
    notFound: 'conversation_not_found',
    errors: ['message_not_found', 'recipient_gone', 'contact_refused', 'message_photo_gone', 'rate_limited'],
    limit: 'message',
  }),
  unsendMessage: declareCall({
    method: 'DELETE',
    path: '/rest/v1/conversations/{id}/messages/{message_id}',
    summary:
      "Deletes the text and the photos of one of the caller's messages, up to ten minutes after it was sent; again, it changes nothing.",
    access: 'user',
    params: messageParamsSchema,
    output: messageSchema,
    notFound: 'message_not_found',
    errors: ['message_unsend_late'],
    limit: 'write',
  }),
  markRead: declareCall({
    method: 'POST',
    path: '/rest/v1/conversations/{id}/read',
    summary: 'Notes that the caller has read up to a seq.',
    access: 'user',
    params: idParamsSchema,
    body: markReadSchema,
    output: unreadCountsSchema,
    notFound: 'conversation_not_found',
    errors: [],
    limit: 'write',
  }),
  notifySellerNewMessage: declareCall({
    method: 'POST',
    path: '/functions/v1/notify-seller-new-message',
    summary:
      "Makes sure the seller's mail about a first message is queued; it is sent once, however often called.",
    access: 'user',
    body: notifySellerSchema,
    output: successResponseSchema,
    errors: ['conversation_not_found', 'contact_refused'],
    limit: 'write',
  }),
} as const;
