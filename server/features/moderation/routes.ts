import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { consoleCalls } from '#contract/console-calls.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { createCallGuard, serveCall } from '#server/http/serve.ts';
import { chooseAction, undoAction } from './actions.ts';
import { assignCase, getCase, listCases } from './cases.ts';
import { findQuotedPhoto } from './quotes.ts';

const paramsSchema = z.object({ id: z.uuid(), index: z.coerce.number().int().min(0).max(99) });

/** Registers the route of the copies of quoted photos, which only moderators can read. */
const registerQuotedPhotoRoute = (server: FastifyInstance, app: App): void => {
  server.get(
    '/rest/v1/moderation/quotes/:id/photos/:index',
    { onRequest: createCallGuard(app, { access: 'moderator', limit: 'console' }) },
    async (request, reply) => {
      const { data } = paramsSchema.safeParse(request.params);
      const { session } = request;
      const photo = data && session && (await findQuotedPhoto(app, session.userId, data.id, data.index));
      if (!photo) throw createProblem('object_not_found');
      return reply
        .header('cache-control', 'no-store')
        .header('content-length', photo.size)
        .type(photo.contentType)
        .send(await photo.open());
    },
  );
};

/** Registers the calls with which moderators read and decide cases. */
export const registerCaseRoutes = (server: FastifyInstance, app: App): void => {
  serveCall(server, app, consoleCalls.listCases, ({ session, query }) => listCases(app, session, query));
  serveCall(server, app, consoleCalls.getCase, ({ session, params }) => getCase(app, session, params.id));
  serveCall(server, app, consoleCalls.assignCase, ({ session, params }) =>
    assignCase(app, session, params.id),
  );
  serveCall(server, app, consoleCalls.chooseAction, ({ session, params, body }) =>
    chooseAction(app, session, params.id, body),
  );
  serveCall(server, app, consoleCalls.undoAction, ({ session, params }) =>
    undoAction(app, session, params.id),
  );
  registerQuotedPhotoRoute(server, app);
};
