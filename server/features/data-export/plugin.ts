import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { toCampusDay } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { createCallGuard, type HttpDeps, requireSession } from '#server/http/serve.ts';
import type { DataExportService } from './service.ts';

/** Registers the data export: a file with everything stored about the person who downloads it. */
export const dataExportPlugin = async (
  server: FastifyInstance,
  { http, dataExport }: { http: HttpDeps; dataExport: DataExportService },
): Promise<void> => {
  const { authenticate, campus, clock } = http;
  const fileName = () => {
    const site = campus.siteName.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    return `${site}-data-${toCampusDay(campus, clock.now())}.json`;
  };

  const { path } = calls.downloadMyData;
  const onRequest = createCallGuard(http, calls.downloadMyData);
  server.get(path, { onRequest, exposeHeadRoute: false }, async (request, reply) => {
    const { session } = request;
    if (!session) throw createProblem('not_authenticated');
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
