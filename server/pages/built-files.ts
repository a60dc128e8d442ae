import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Names of the files below this path contain a hash of their content. */
export const hashedPath = '/assets/';

/** Serves the files of a build, each under its own route, so that every other path is left to the pages. */
export const serveBuiltFiles = async (app: FastifyInstance, root: string): Promise<void> => {
  await app.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    decorateReply: false,
    globIgnore: ['**/.*/**', '**/.*', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header(
        'cache-control',
        path.slice(root.length).startsWith(hashedPath)
          ? 'public, max-age=31536000, immutable'
          : 'public, max-age=3600',
      );
    },
  });
};
