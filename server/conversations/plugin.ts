import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serve } from '#server/http/serve.ts';
import { type AddJobs, onSchedule } from '#server/platform/jobs.ts';
import { jsonObject } from '#server/platform/json/json-text.ts';
import type { Conversations } from './service.ts';
import type { UnreadMail } from './unread-mail-service.ts';

const done = { success: true } as const;

/** Registers conversations, of which people can access only their own, and the emails about unread messages. */
export const conversationsPlugin = async (
  app: FastifyInstance,
  {
    http,
    addJobs,
    conversations,
    unreadMail,
  }: { http: HttpDeps; addJobs: AddJobs; conversations: Conversations; unreadMail: UnreadMail },
): Promise<void> => {
  addJobs(onSchedule('tell-of-unread', '* * * * *', unreadMail.gather));

  serve(app, http, calls.listConversations, ({ session, query }) =>
    conversations.list(session.userId, query.cursor),
  );

  serve(app, http, calls.countUnread, async ({ session }) => ({
    unread_total: await conversations.countUnread(session.userId),
  }));

  serve(app, http, calls.openConversation, ({ session, body }) =>
    conversations.open(session.userId, body.listing_id),
  );

  serve(app, http, calls.findConversation, async ({ session, params }) =>
    jsonObject({ conversation: await conversations.findAbout(session.userId, params.id) }),
  );

  serve(app, http, calls.getConversation, ({ session, params }) =>
    conversations.get({ id: params.id, userId: session.userId }),
  );

  serve(app, http, calls.listMessages, ({ session, params, query }) =>
    conversations.listMessages({ id: params.id, userId: session.userId }, query),
  );

  serve(app, http, calls.sendMessage, ({ session, params, body }) =>
    conversations.send({
      id: params.id,
      userId: session.userId,
      clientId: body.client_id,
      text: body.message_text,
    }),
  );

  serve(app, http, calls.markRead, ({ session, params, body }) =>
    conversations.markRead({ id: params.id, userId: session.userId, seq: body.seq }),
  );

  serve(app, http, calls.notifySellerNewMessage, async ({ session, body }) => {
    await conversations.notifySeller({ id: body.conversationId, userId: session.userId });
    return done;
  });
};
