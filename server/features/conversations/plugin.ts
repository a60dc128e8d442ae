import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#contract/calls.ts';
import { photoMessageText } from '#contract/conversations.ts';
import { createProblem } from '#contract/errors.ts';
import { messagePhotoWidths } from '#contract/photos.ts';
import { idSchema } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { createCallGuard, type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declareScheduledJob } from '#server/platform/jobs.ts';
import {
  changeConversation,
  findConversationAbout,
  getConversation,
  listConversations,
  notifySellerOfFirstMessage,
  openConversation,
} from './conversations.ts';
import { foldNewMessages } from './message-texts.ts';
import { countUnreadMessages, findPhoto, listMessages, markMessagesRead, sendMessage } from './messages.ts';
import { queueUnreadMail } from './unread-mail.ts';
import { unsendMessage } from './unsending.ts';

const successResponse = { success: true } as const;

const photoAddressSchema = z.object({
  id: idSchema,
  photo_id: idSchema,
  size: z
    .enum(messagePhotoWidths.map(String))
    .transform((text) => messagePhotoWidths.find((width) => String(width) === text))
    .optional(),
});

/**
 * Registers the route of the photos of messages. Everybody but the parties of the conversation gets the response of an
 * address that does not exist.
 */
const registerPhotoRoute = (server: FastifyInstance, app: App): void => {
  server.get(
    '/rest/v1/conversations/:id/photos/:photo_id',
    { onRequest: createCallGuard(app, { access: 'user' }) },
    async (request, reply) => {
      const { data } = photoAddressSchema.safeParse({ ...Object(request.query), ...Object(request.params) });
      const userId = request.session?.userId;
      const photo =
        data &&
        userId &&
        (await findPhoto(app, { ...data, photoId: data.photo_id, width: data.size, userId }));
      if (!photo) throw createProblem('object_not_found');
      return reply
        .header('cache-control', 'private, no-store')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('content-length', photo.size)
        .type(photo.contentType)
        .send(await photo.open());
    },
  );
};

/**
 * Registers the routes of conversations and their photos, which only their parties can access, and the job that
 * emails people about unread messages.
 */
export const conversationsPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(declareScheduledJob('queue-unread-mail', '* * * * *', () => queueUnreadMail(app)));
  addJobs(declareScheduledJob('fold-messages', '27 * * * *', () => foldNewMessages(app)));

  serveCall(server, app, calls.listConversations, ({ session, query }) =>
    listConversations(app, session.userId, query),
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

  serveCall(server, app, calls.changeConversation, ({ session, params, body }) =>
    changeConversation(app, { id: params.id, userId: session.userId }, body),
  );

  serveCall(server, app, calls.listMessages, ({ session, params, query }) =>
    listMessages(app, { id: params.id, userId: session.userId }, query),
  );

  serveCall(server, app, calls.sendMessage, ({ session, params, body }) =>
    sendMessage(app, {
      id: params.id,
      userId: session.userId,
      clientId: body.client_id,
      text: body.message_text || photoMessageText,
      seenSeq: body.seen_seq,
      photos: body.photos,
      replyTo: body.reply_to,
    }),
  );

  serveCall(server, app, calls.unsendMessage, ({ session, params }) =>
    unsendMessage(app, { id: params.id, userId: session.userId, messageId: params.message_id }),
  );

  registerPhotoRoute(server, app);

  serveCall(server, app, calls.markRead, ({ session, params, body }) =>
    markMessagesRead(app, { id: params.id, userId: session.userId, seq: body.seq }),
  );

  serveCall(server, app, calls.notifySellerNewMessage, async ({ session, body }) => {
    await notifySellerOfFirstMessage(app, { id: body.conversationId, userId: session.userId });
    return successResponse;
  });
};
