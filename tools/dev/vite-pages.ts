import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import type { PagesBuild, PagesEntry } from '#server/pages/load-build.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const entry = '/web/entry.pages.tsx';
/** The socket of hot module replacement shares the port with the realtime socket. */
const socketPath = '/@vite/socket';

const isViteSocket = ({ url = '', headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.startsWith(socketPath);

/**
 * Vite's client waits for a restarted server in a worker made from a blob, which the policy of our pages refuses; without
 * shared workers it waits in the page.
 */
const waitInPage: Plugin = {
  name: 'wait-in-page',
  transform: {
    filter: { id: /\/vite\/dist\/client\/client\.mjs$/ },
    handler: (code) => ({ code: `const SharedWorker = undefined;${code}`, map: null }),
  },
};

/** Puts Vite before all routes: it answers for the sources and passes everything else on. */
const attachVite = async (app: FastifyInstance): Promise<ViteDevServer> => {
  const vite = await createServer({
    root,
    appType: 'custom',
    clearScreen: false,
    plugins: [waitInPage],
    server: { middlewareMode: true, ws: { server: app.server, path: socketPath } },
  });
  app.addHook('onRequest', (request, reply, done) => {
    vite.middlewares(request.raw, reply.raw, (error?: Error) => done(error));
  });
  // Before the HTTP server waits for its connections to end.
  app.addHook('preClose', () => vite.close());
  return vite;
};

/** Says why the sources cannot be loaded (Vite has logged it); the browser tries again until they can be. */
const errorPage = (error: unknown): Response => {
  const reason = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const escaped = reason.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return new Response(
    `<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Error</title><pre>${escaped}</pre>`,
    { status: 500, headers: { 'content-type': 'text/html; charset=utf-8' } },
  );
};

/** Pages rendered from their sources by Vite: nothing is built, nothing is cached, changes reach open browsers. */
export const createVitePages = (): PagesBuild => {
  let vite: ViteDevServer | undefined;
  const load = async (): Promise<PagesEntry> => {
    if (!vite) throw new Error('The Vite server is not attached');
    return (await vite.ssrLoadModule(entry)) as PagesEntry;
  };
  return {
    renderPage: (request, page) => load().then(({ renderPage }) => renderPage(request, page), errorPage),
    renderOfflinePage: async (campus, nonce) => (await load()).renderOfflinePage(campus, nonce),
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
