import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type {
  OfflinePageRenderFunction,
  PageCacheKeyFinder,
  PageRenderFunction,
} from '#contract/page-rendering.ts';

/**
 * A development server that renders and serves pages from source files (tools/dev/vite-pages.ts).
 */
export interface DevServer {
  attach(server: FastifyInstance): Promise<void>;
  /** Returns whether a request opens the WebSocket through which Vite reloads changed modules. */
  acceptsUpgrade(request: IncomingMessage): boolean;
}

/** What the server needs to serve pages: the renderers, the cache keys, and the files that browsers fetch. */
export interface PagesBuild {
  renderPage: PageRenderFunction;
  renderOfflinePage: OfflinePageRenderFunction;
  findCacheKey: PageCacheKeyFinder;
  /**
   * The folder of the files that browsers fetch. It is undefined in development, where Vite serves these
   * files.
   */
  clientFolder?: string;
  /** Source of the service worker script. */
  worker: string;
  devServer?: DevServer;
}

/** The exports of the built pages (web/entry.pages.tsx). */
export type PagesEntryModule = Pick<PagesBuild, 'renderPage' | 'renderOfflinePage' | 'findCacheKey'>;

const buildFolderUrl = new URL('../../build/', import.meta.url);

/** The folder of the built files that browsers fetch. */
export const builtClientFolder = fileURLToPath(new URL('client', buildFolderUrl));

/** Loads the built pages. Throws a clear error when they have not been built. */
export const loadPagesBuild = async () => {
  const entry = new URL('server/index.js', buildFolderUrl);
  if (!existsSync(entry)) throw new Error('The pages have not been built: run `node tools/setup.mjs`');
  const { renderPage, renderOfflinePage, findCacheKey } = (await import(entry.href)) as PagesEntryModule;
  return {
    renderPage,
    renderOfflinePage,
    findCacheKey,
    clientFolder: builtClientFolder,
    worker: await readFile(new URL('worker.js', buildFolderUrl), 'utf8'),
  } satisfies PagesBuild;
};
