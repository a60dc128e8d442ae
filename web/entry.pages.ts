import * as build from 'virtual:react-router/server-build';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import type { RenderPage } from '#contract/reads.ts';
import { pageContext } from './lib/page-context.ts';

const handle = createRequestHandler(build as ServerBuild, 'production');

export { findKeptAddress } from './kept-address.ts';

/** What makes a page; beside where it is kept, all that the server takes from the built pages. */
export const renderPage: RenderPage = (request, page) => {
  const context = new RouterContextProvider();
  context.set(pageContext, page);
  return handle(request, context);
};
