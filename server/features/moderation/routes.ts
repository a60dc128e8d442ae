import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { createProblem } from '#contract/errors.ts';
import { createCallGuard, type HttpDeps } from '#server/http/serve.ts';
import type { QuotedPhotoService } from './quotes.ts';

const paramsSchema = z.object({ id: z.uuid(), index: z.coerce.number().int().min(0).max(99) });

/** Registers the route of the copies of quoted photos, which only moderators can read. */
export const registerQuotedPhotoRoutes = (
  server: FastifyInstance,
  http: HttpDeps,
  quotedPhotos: Pick<QuotedPhotoService, 'find'>,
): void => {
  server.get(
    '/rest/v1/moderation/quotes/:id/photos/:index',
    { onRequest: createCallGuard(http, { access: 'moderator', limit: 'console' }) },
    async (request, reply) => {
      const { data } = paramsSchema.safeParse(request.params);
      const { session } = request;
      const photo = data && session && (await quotedPhotos.find(session.userId, data.id, data.index));
      if (!photo) throw createProblem('object_not_found');
      return reply
        .header('cache-control', 'no-store')
        .header('content-length', photo.size)
        .type(photo.contentType)
        .send(await photo.open());
    },
  );
};
