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
import { ScriptNonce } from './lib/script-nonce.ts';

/** Renders a page as one complete string: only then can its scripts be hashed and the page be kept. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce, onError } = context.get(pageContext);
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
        <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
      </ScriptNonce>,
      {
        nonce,
        // Nothing comes piece by piece, so nothing needs script to be put in its place.
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

/** What went wrong in a loader. An answer that was meant, such as 404, is no failure. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  context.get(pageContext).onError(error);
};
