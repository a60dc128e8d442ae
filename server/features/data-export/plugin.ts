import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { toCampusDay } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { createCallGuard, type PluginOptions, requireSession } from '#server/http/serve.ts';
import { exportPersonalData } from './export.ts';

/** Registers the data export: a file with everything stored about the person who downloads it. */
export const dataExportPlugin = async (server: FastifyInstance, { app }: PluginOptions): Promise<void> => {
  const { campus } = app.config;
  const getFileName = () => {
    const site = campus.siteName.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    return `${site}-data-${toCampusDay(campus, app.clock.now())}.json`;
  };

  const { path } = calls.downloadMyData;
  const onRequest = createCallGuard(app, calls.downloadMyData);
  server.get(path, { onRequest, exposeHeadRoute: false }, async (request, reply) => {
    const { session } = request;
    if (!session) throw createProblem('not_authenticated');
    // The session is checked repeatedly, because a slow download must not continue after the session has ended.
    const assertSession = async () => void (await requireSession(request, app));
    const chunks = await exportPersonalData(app, session.userId, assertSession);
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${getFileName()}"`,
      })
      .send(Readable.from(chunks));
  });
};
