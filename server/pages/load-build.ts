import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { FindCacheKey, RenderOfflinePage, RenderPage } from '#contract/reads.ts';

/** Renders and serves from sources instead of a build (tools/dev/vite-pages.ts). */
export interface DevServer {
  /** Serves what browsers fetch of the sources. */
  attach(app: FastifyInstance): Promise<void>;
  /** Returns whether a request opens the socket that tells browsers about changed sources. */
  acceptsUpgrade(request: IncomingMessage): boolean;
}

/** How pages are rendered, where they are cached, and what browsers fetch. */
export interface PagesBuild {
  renderPage: RenderPage;
  renderOfflinePage: RenderOfflinePage;
  findCacheKey: FindCacheKey;
  /** The folder of the files that browsers fetch; in development there is none. */
  clientFolder?: string;
  /** The script of the service worker. */
  worker: string;
  devServer?: DevServer;
}

/** The exports of the built pages (web/entry.pages.tsx). */
export type PagesEntry = Pick<PagesBuild, 'renderPage' | 'renderOfflinePage' | 'findCacheKey'>;

const built = new URL('../../build/', import.meta.url);

/** The folder of the built files that browsers fetch. */
export const builtClientFolder = fileURLToPath(new URL('client', built));

/** Loads the built pages. Throws a clear error when they have not been built. */
export const loadPagesBuild = async () => {
  const entry = new URL('server/index.js', built);
  if (!existsSync(entry)) throw new Error('The pages have not been built: run `node tools/setup.mjs`');
  const { renderPage, renderOfflinePage, findCacheKey } = (await import(entry.href)) as PagesEntry;
  return {
    renderPage,
    renderOfflinePage,
    findCacheKey,
    clientFolder: builtClientFolder,
    worker: await readFile(new URL('worker.js', built), 'utf8'),
  } satisfies PagesBuild;
};
