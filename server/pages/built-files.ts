import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { findPublishedAsset } from './published-builds.ts';

/** Files under this path have a hash of their content in their names. */
export const hashedPath = '/assets/';

const isHashed = (path: string): boolean => /[\\/]assets[\\/][^\\/]+$/.test(path);

/** Serves the files of a build, each under its own route, so that every other path is left to the pages. */
export const serveBuiltFiles = async (app: FastifyInstance, root: string): Promise<void> => {
  await app.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    globIgnore: ['**/.*/**', '**/.*', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header(
        'cache-control',
        isHashed(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
};

/**
 * Sends a file of an earlier build: open tabs, the service worker and cached pages ask for those after an upgrade.
 * Returns undefined when no build of the last day has a file of this name.
 */
export const sendEarlierFile = async (
  reply: FastifyReply,
  dataDir: string,
  url: string,
): Promise<FastifyReply | undefined> => {
  const file = url.slice(hashedPath.length).replace(/\?.*$/s, '');
  const folder = await findPublishedAsset(dataDir, file);
  return folder === undefined ? undefined : reply.sendFile(file, folder);
};
