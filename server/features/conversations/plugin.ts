import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declareScheduledJob } from '#server/platform/jobs.ts';
import {
  findConversationAbout,
  getConversation,
  listConversations,
  notifySellerOfFirstMessage,
  openConversation,
} from './conversations.ts';
import { countUnreadMessages, listMessages, markMessagesRead, sendMessage } from './messages.ts';
import { queueUnreadMail } from './unread-mail.ts';

const successResponse = { success: true } as const;

/**
 * Registers the routes of conversations, which only their parties can access, and the job that
 * emails people about unread messages.
 */
export const conversationsPlugin = async (
  server: FastifyInstance,
  { app, http, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(declareScheduledJob('queue-unread-mail', '* * * * *', () => queueUnreadMail(app)));

  serveCall(server, http, calls.listConversations, ({ session, query }) =>
    listConversations(app, session.userId, query.cursor),
  );

  serveCall(server, http, calls.countUnread, async ({ session }) => ({
    unread_total: await countUnreadMessages(app, session.userId),
  }));

  serveCall(server, http, calls.openConversation, ({ session, body }) =>
    openConversation(app, session.userId, body.listing_id),
  );

  serveCall(server, http, calls.findConversation, async ({ session, params }) => ({
    conversation: await findConversationAbout(app, session.userId, params.id),
  }));

  serveCall(server, http, calls.getConversation, ({ session, params }) =>
    getConversation(app, { id: params.id, userId: session.userId }),
  );

  serveCall(server, http, calls.listMessages, ({ session, params, query }) =>
    listMessages(app, { id: params.id, userId: session.userId }, query),
  );

  serveCall(server, http, calls.sendMessage, ({ session, params, body }) =>
    sendMessage(app, {
      id: params.id,
      userId: session.userId,
      clientId: body.client_id,
      text: body.message_text,
      seenSeq: body.seen_seq,
    }),
  );

  serveCall(server, http, calls.markRead, ({ session, params, body }) =>
    markMessagesRead(app, { id: params.id, userId: session.userId, seq: body.seq }),
  );

  serveCall(server, http, calls.notifySellerNewMessage, async ({ session, body }) => {
    await notifySellerOfFirstMessage(app, { id: body.conversationId, userId: session.userId });
    return successResponse;
  });
};
