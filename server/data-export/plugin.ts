import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { campusDay } from '#contract/campus.ts';
import { problem } from '#contract/errors.ts';
import { guard, type HttpDeps, requireSession } from '#server/http/serve.ts';
import type { DataExport } from './service.ts';

/** Registers the data export: a file with everything stored about the person who downloads it. */
export const dataExportPlugin = async (
  app: FastifyInstance,
  { http, dataExport }: { http: HttpDeps; dataExport: DataExport },
): Promise<void> => {
  const { authenticate, campus, clock } = http;
  const fileName = () => {
    const site = campus.siteName.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    return `${site}-data-${campusDay(campus, clock.now())}.json`;
  };

  const { path } = calls.downloadMyData;
  const onRequest = guard(http, calls.downloadMyData);
  app.get(path, { onRequest, exposeHeadRoute: false }, async (request, reply) => {
    const { session } = request;
    if (!session) throw problem('not_authenticated');
    // The session is checked repeatedly, because a slow download must not continue after the session has ended.
    const assertSession = async () => void (await requireSession(request, authenticate));
    const chunks = await dataExport.read(session.userId, assertSession);
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${fileName()}"`,
      })
      .send(Readable.from(chunks));
  });
};
