import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { findPublishedAssetsFolder } from './published-builds.ts';

/** URL path of the built files whose names contain a hash of their content. */
export const hashedAssetsPath = '/assets/';

const isHashedAsset = (path: string): boolean => /[\\/]assets[\\/][^\\/]+$/.test(path);

const isBarcodeWorker = (path: string): boolean => /[\\/]barcode-worker-[^\\/]+\.js(\.\w+)?$/.test(path);
/** The policy of the worker that reads barcodes: pages may not compile WebAssembly, but the worker may. */
const barcodeWorkerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/**
 * Serves the files of a build. Each file gets its own route, so that all other paths are left to the pages.
 */
export const serveBuiltFiles = async (server: FastifyInstance, root: string): Promise<void> => {
  await server.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    globIgnore: ['**/.*/**', '**/.*', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header(
        'cache-control',
        isHashedAsset(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
      if (isBarcodeWorker(path)) reply.header('content-security-policy', barcodeWorkerPolicy);
    },
  });
};

/**
 * Sends a file of an earlier build, which open tabs, the service worker and cached pages still
 * request after an upgrade. Returns undefined when no build served within the last day has a file
 * of this name.
 */
export const sendEarlierBuildFile = async (
  reply: FastifyReply,
  dataDir: string,
  url: string,
): Promise<FastifyReply | undefined> => {
  const file = url.slice(hashedAssetsPath.length).replace(/\?.*$/s, '');
  const folder = await findPublishedAssetsFolder(dataDir, file);
  return folder === undefined ? undefined : reply.sendFile(file, folder);
};
