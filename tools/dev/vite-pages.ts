import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import type { PagesBuild, PagesEntryModule } from '#server/pages/load-build.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const entryPath = '/web/entry.pages.tsx';
/**
 * WebSocket path of Vite's hot module replacement. It must differ from the path of the realtime socket,
 * because both sockets use the same port.
 */
const viteSocketPath = '/@vite/socket';

const isViteSocket = ({ url = '', headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.startsWith(viteSocketPath);

/**
 * While the server restarts, Vite's client polls it from a SharedWorker created from a blob URL, which our CSP blocks.
 * Hiding SharedWorker makes the client poll from the page.
 */
const pollFromPagePlugin: Plugin = {
  name: 'poll-from-page',
  transform: {
    filter: { id: /\/vite\/dist\/client\/client\.mjs$/ },
    handler: (code) => ({ code: `const SharedWorker = undefined;${code}`, map: null }),
  },
};

/**
 * Registers Vite's middleware before all routes. Vite answers requests for source modules and
 * passes other requests on to the routes.
 */
const attachVite = async (app: FastifyInstance): Promise<ViteDevServer> => {
  const vite = await createServer({
    root,
    appType: 'custom',
    clearScreen: false,
    plugins: [pollFromPagePlugin],
    server: { middlewareMode: true, ws: { server: app.server, path: viteSocketPath } },
  });
  app.addHook('onRequest', (request, reply, done) => {
    vite.middlewares(request.raw, reply.raw, (error?: Error) => done(error));
  });
  // Close Vite before the HTTP server, which waits for all connections to end, including those of Vite's
  // sockets.
  app.addHook('preClose', () => vite.close());
  return vite;
};

/**
 * Returns an error page that says why the source cannot be loaded; Vite has already logged the error. The
 * page reloads itself every second.
 */
const renderErrorPage = (error: unknown): Response => {
  const reason = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const escaped = reason.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return new Response(
    `<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Error</title><pre>${escaped}</pre>`,
    { status: 500, headers: { 'content-type': 'text/html; charset=utf-8' } },
  );
};

/**
 * Creates the `PagesBuild` of the development server. Vite renders its pages from source, without a
 * build step or a cache and with hot module replacement.
 */
export const createVitePages = (): PagesBuild => {
  let vite: ViteDevServer | undefined;
  const loadEntry = async (): Promise<PagesEntryModule> => {
    if (!vite) throw new Error('The Vite server is not attached');
    return (await vite.ssrLoadModule(entryPath)) as PagesEntryModule;
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
