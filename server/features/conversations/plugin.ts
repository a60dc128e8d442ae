import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import { buildJsonObject } from '#server/platform/json/json-text.ts';
import type { ConversationService } from './service.ts';
import type { UnreadMailService } from './unread-mail-service.ts';

const successResponse = { success: true } as const;

/**
 * Registers the routes of conversations, which only their parties can access, and the job that
 * emails people about unread messages.
 */
export const conversationsPlugin = async (
  server: FastifyInstance,
  {
    http,
    addJobs,
    conversations,
    unreadMail,
  }: {
    http: HttpDeps;
    addJobs: JobCollector;
    conversations: ConversationService;
    unreadMail: UnreadMailService;
  },
): Promise<void> => {
  addJobs(declareScheduledJob('tell-of-unread', '* * * * *', unreadMail.gather));

  serveCall(server, http, calls.listConversations, ({ session, query }) =>
    conversations.list(session.userId, query.cursor),
  );

  serveCall(server, http, calls.countUnread, async ({ session }) => ({
    unread_total: await conversations.countUnread(session.userId),
  }));

  serveCall(server, http, calls.openConversation, ({ session, body }) =>
    conversations.open(session.userId, body.listing_id),
  );

  serveCall(server, http, calls.findConversation, async ({ session, params }) =>
    buildJsonObject({ conversation: await conversations.findAbout(session.userId, params.id) }),
  );

  serveCall(server, http, calls.getConversation, ({ session, params }) =>
    conversations.get({ id: params.id, userId: session.userId }),
  );

  serveCall(server, http, calls.listMessages, ({ session, params, query }) =>
    conversations.listMessages({ id: params.id, userId: session.userId }, query),
  );

  serveCall(server, http, calls.sendMessage, ({ session, params, body }) =>
    conversations.send({
      id: params.id,
      userId: session.userId,
      clientId: body.client_id,
      text: body.message_text,
      seenSeq: body.seen_seq,
    }),
  );

  serveCall(server, http, calls.markRead, ({ session, params, body }) =>
    conversations.markRead({ id: params.id, userId: session.userId, seq: body.seq }),
  );

  serveCall(server, http, calls.notifySellerNewMessage, async ({ session, body }) => {
    await conversations.notifySeller({ id: body.conversationId, userId: session.userId });
    return successResponse;
  });
};
