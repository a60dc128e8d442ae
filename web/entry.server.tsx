import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { pageLoaderContext } from './lib/page-context.ts';
import { RenderTimeContext, ScriptNonceContext } from './lib/server-rendering.ts';
import { insertStyles } from './styles/insert-styles.ts';

/** Renders a page as one complete string, so that its scripts can be hashed and the page can be cached. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { campus, nonce, now, onError } = context.get(pageLoaderContext);
  let failed = false;
  const html = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const collect = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        resolve(Buffer.concat(chunks).toString('utf8'));
        done();
      },
    });
    const { pipe } = renderToPipeableStream(
      <ScriptNonceContext value={nonce}>
        <RenderTimeContext value={now}>
          <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
        </RenderTimeContext>
      </ScriptNonceContext>,
      {
        nonce,
        // By default, React would send large Suspense boundaries later and insert them with an inline script.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady: () => pipe(collect),
        onShellError: reject,
        onError(error) {
          failed = true;
          onError(error);
        },
      },
    );
  });
  headers.set('content-type', 'text/html; charset=utf-8');
  return new Response(insertStyles(lowerScriptPriority(html), campus), {
    headers,
    status: failed ? 500 : status,
  });
}

/**
 * Returns the HTML document with low-priority script preloads, so that they do not delay what the
 * first paint needs. React Router has no option for this.
 */
const lowerScriptPriority = (html: string): string =>
  html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');

/** Reports errors thrown by loaders, except aborted requests and intended responses such as 404. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  context.get(pageLoaderContext).onError(error);
};
