import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import type { PagesBuild, PagesEntry } from '#server/pages/load-build.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const entry = '/web/entry.pages.tsx';
/** WebSocket path of Vite's hot module replacement, which shares the port with the realtime socket. */
const viteSocketPath = '/@vite/socket';

const isViteSocket = ({ url = '', headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.startsWith(viteSocketPath);

/**
 * While the server restarts, Vite's client polls it from a SharedWorker created from a blob URL, which our CSP blocks.
 * Hiding SharedWorker makes the client poll from the page.
 */
const pollFromPage: Plugin = {
  name: 'poll-from-page',
  transform: {
    filter: { id: /\/vite\/dist\/client\/client\.mjs$/ },
    handler: (code) => ({ code: `const SharedWorker = undefined;${code}`, map: null }),
  },
};

/** Registers Vite before all routes: it serves source modules and passes other requests on. */
const attachVite = async (app: FastifyInstance): Promise<ViteDevServer> => {
  const vite = await createServer({
    root,
    appType: 'custom',
    clearScreen: false,
    plugins: [pollFromPage],
    server: { middlewareMode: true, ws: { server: app.server, path: viteSocketPath } },
  });
  app.addHook('onRequest', (request, reply, done) => {
    vite.middlewares(request.raw, reply.raw, (error?: Error) => done(error));
  });
  // In `preClose`, because the HTTP server then waits for all connections to end, Vite's included.
  app.addHook('preClose', () => vite.close());
  return vite;
};

/** Returns a page with the reason why the source cannot be loaded (Vite has logged it); it reloads itself every second. */
const renderErrorPage = (error: unknown): Response => {
  const reason = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const escaped = reason.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return new Response(
    `<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Error</title><pre>${escaped}</pre>`,
    { status: 500, headers: { 'content-type': 'text/html; charset=utf-8' } },
  );
};

/** Creates a pages build that Vite renders from source: without a build step or a cache, with hot module replacement. */
export const createVitePages = (): PagesBuild => {
  let vite: ViteDevServer | undefined;
  const loadEntry = async (): Promise<PagesEntry> => {
    if (!vite) throw new Error('The Vite server is not attached');
    return (await vite.ssrLoadModule(entry)) as PagesEntry;
  };
  return {
    renderPage: (request, page) =>
      loadEntry().then(({ renderPage }) => renderPage(request, page), renderErrorPage),
    renderOfflinePage: async (campus, nonce) => (await loadEntry()).renderOfflinePage(campus, nonce),
    findCacheKey: () => undefined,
    worker: '',
    devServer: {
      attach: async (app) => {
        vite = await attachVite(app);
      },
      acceptsUpgrade: isViteSocket,
    },
  };
};
