import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { pageContext } from './lib/page-context.ts';
import { RenderTime } from './lib/render-time.ts';
import { ScriptNonce } from './lib/script-nonce.ts';

/** Renders a page as one complete string, so that its scripts can be hashed and the page can be cached. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce, now, onError } = context.get(pageContext);
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
      <ScriptNonce value={nonce}>
        <RenderTime value={now}>
          <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
        </RenderTime>
      </ScriptNonce>,
      {
        nonce,
        // Nothing is streamed, so no inline script is needed to insert late parts.
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
  return new Response(html, { headers, status: failed ? 500 : status });
}

/** Reports errors thrown by loaders, except aborted requests and intended responses such as 404. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  context.get(pageContext).onError(error);
};
