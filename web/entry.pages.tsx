import * as build from 'virtual:react-router/server-build';
import { renderToStaticMarkup } from 'react-dom/server';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import type { OfflinePageRenderFunction, PageRenderFunction } from '#contract/page-rendering.ts';
import { pageLoaderContext } from './lib/page-context.ts';
import { OfflinePage } from './offline/offline-page.tsx';
import { Logo } from './shell/logo.tsx';
import { themeScript } from './shell/theme.ts';
import { insertStyles } from './styles/insert-styles.ts';

const serverBuild = build as ServerBuild;
const handleRequest = createRequestHandler(serverBuild, import.meta.env.DEV ? 'development' : 'production');

export { findCacheKey } from './cache-key.ts';

/** Renders a page. This file is the only module that the server imports from the built pages. */
export const renderPage: PageRenderFunction = (request, page) => {
  const context = new RouterContextProvider();
  context.set(pageLoaderContext, page);
  return handleRequest(request, context);
};

/** Renders the offline page without the router, whose scripts would load data for the requested URL. */
export const renderOfflinePage: OfflinePageRenderFunction = (campus, nonce) => {
  const page = OfflinePage({
    campus,
    nonce,
    logo: Logo({ className: 'size-11' }),
    themeScript,
  });
  return insertStyles(`<!DOCTYPE html>${renderToStaticMarkup(page)}`, campus);
};
