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
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(declareScheduledJob('queue-unread-mail', '* * * * *', () => queueUnreadMail(app)));

  serveCall(server, app, calls.listConversations, ({ session, query }) =>
    listConversations(app, session.userId, query.cursor),
  );

  serveCall(server, app, calls.countUnread, async ({ session }) => ({
    unread_total: await countUnreadMessages(app, session.userId),
  }));

  serveCall(server, app, calls.openConversation, ({ session, body }) =>
    openConversation(app, session.userId, body.listing_id),
  );

  serveCall(server, app, calls.findConversation, async ({ session, params }) => ({
    conversation: await findConversationAbout(app, session.userId, params.id),
  }));

  serveCall(server, app, calls.getConversation, ({ session, params }) =>
    getConversation(app, { id: params.id, userId: session.userId }),
  );

  serveCall(server, app, calls.listMessages, ({ session, params, query }) =>
    listMessages(app, { id: params.id, userId: session.userId }, query),
  );

  serveCall(server, app, calls.sendMessage, ({ session, params, body }) =>
    sendMessage(app, {
      id: params.id,
      userId: session.userId,
      clientId: body.client_id,
      text: body.message_text,
      seenSeq: body.seen_seq,
    }),
  );

  serveCall(server, app, calls.markRead, ({ session, params, body }) =>
    markMessagesRead(app, { id: params.id, userId: session.userId, seq: body.seq }),
  );

  serveCall(server, app, calls.notifySellerNewMessage, async ({ session, body }) => {
    await notifySellerOfFirstMessage(app, { id: body.conversationId, userId: session.userId });
    return successResponse;
  });
};
