import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { campusDay } from '#contract/campus.ts';
import { problem } from '#contract/errors.ts';
import type { DataExport } from '#server/data-export/service.ts';
import { guard, type HttpDeps, serve } from '#server/http/serve.ts';
import { requireSession } from '#server/http/sessions.ts';
import type { AccountDeletion } from './service.ts';

/** Routes for the data export and for account deletion. */
export const accountDeletionRoutes = (
  app: FastifyInstance,
  http: HttpDeps,
  { accountDeletion, ownData }: { accountDeletion: AccountDeletion; ownData: DataExport },
): void => {
  const { authenticate, campus, clock } = http;

  serve(app, http, calls.deleteMe, async ({ session }) => {
    await accountDeletion.deleteAccount(session.userId);
    return { success: true } as const;
  });

  const fileName = () => {
    const site = campus.siteName.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    return `${site}-data-${campusDay(campus, clock.now())}.json`;
  };

  const { path } = calls.downloadMyData;
  const onRequest = guard(http, calls.downloadMyData);
  app.get(path, { onRequest, exposeHeadRoute: false }, async (request, reply) => {
    const { session } = request;
    if (!session) throw problem('not_authenticated');
    // A slow download must not outlive the session.
    const assertSession = async () => void (await requireSession(request, authenticate));
    const chunks = await ownData.read(session.userId, assertSession);
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${fileName()}"`,
      })
      .send(Readable.from(chunks));
  });
};
