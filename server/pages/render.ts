import { createHash, randomBytes } from 'node:crypto';
import type { AnnouncementSchedule } from '#contract/announcements.ts';
import type { PageRenderFunction, PublicDataReader } from '#contract/page-rendering.ts';
import type { App } from '#server/app.ts';
import { toProblem } from '#server/http/error-replies.ts';
import { toLoggedPath } from './logged-path.ts';
import { type PageDependencies, trackPageDependencies } from './page-invalidation.ts';

export const noAnnouncement: AnnouncementSchedule = { current: null, changes_at: null };

/**
 * Wraps the data reads of pages: throws a 503 response when the database is unavailable, and a 404
 * response when the requested text cannot exist in the database. Rethrows other errors.
 */
export const respondToFailedReads = ({ log }: App, reads: PublicDataReader): PublicDataReader => {
  const logError = (error: unknown) => log.warn({ err: error }, 'page could not be served');
  const withUnavailable =
    <Input, Output>(read: (input: Input) => Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      try {
        return await read(input);
      } catch (error) {
        const { code } = toProblem(error);
        // A text that the database cannot store, such as one with a NUL character, cannot occur in
        // the data, so the page does not exist.
        if (code === 'malformed_request') throw new Response(null, { status: 404 });
        if (code !== 'unavailable') throw error;
        logError(error);
        throw new Response(null, { status: 503 });
      }
    };
  return {
    // Without the database, render the page without the announcement, because pages without data must still
    // work.
    findAnnouncement: () =>
      reads.findAnnouncement().catch((error: unknown) => {
        logError(error);
        return noAnnouncement;
      }),
    listListings: withUnavailable(reads.listListings),
    listSimilarMatches: withUnavailable(reads.listSimilarMatches),
    listLatest: withUnavailable(reads.listLatest),
    getListing: withUnavailable(reads.getListing),
    listSimilar: withUnavailable(reads.listSimilar),
    getCourse: withUnavailable(reads.getCourse),
    getUser: withUnavailable(reads.getUser),
    listUserReviews: withUnavailable(reads.listUserReviews),
  };
};

/**
 * Returns a Content-Security-Policy that allows these inline scripts, identified by their hashes,
 * and no others.
 */
const createContentSecurityPolicy = (scripts: readonly string[]): string => {
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'self'",
    ["script-src 'self'", ...new Set(hashes)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    // Trusted Types: strings become markup or scripts only through the single policy in
    // web/shell/trusted-types.ts.
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
};

/**
 * Replaces the nonces of our inline scripts with hashes in the policy, so that the page can be cached. Only scripts that
 * carry the nonce are hashed, so an injected one stays blocked.
 */
export const hashInlineScripts = (html: string, nonce: string): { html: string; policy: string } => {
  const pieces = html.split(` nonce="${nonce}"`);
  const scripts = pieces.flatMap((piece, index) => {
    const isInScriptTag = /<script\b[^<>]*$/.test(pieces[index - 1] ?? '');
    const text = piece.slice(piece.indexOf('>') + 1, piece.indexOf('</script>'));
    return isInScriptTag && text ? [text] : [];
  });
  return { html: pieces.join(''), policy: createContentSecurityPolicy(scripts) };
};

export interface RenderedPage {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** What the page was rendered from, so that it can be invalidated. */
  dependencies: PageDependencies;
}

/** Renders the page at a path, or only the data of the page. */
export type PageRenderer = (path: string) => Promise<RenderedPage>;

/**
 * Creates the renderer of pages. It renders a page from its URL alone, so that the same page can be sent to
 * everybody.
 */
export const createPageRenderer =
  (app: App, renderPage: PageRenderFunction, reads: PublicDataReader): PageRenderer =>
  async (path) => {
    const { campus, publicUrl } = app.config;
    const nonce = randomBytes(16).toString('hex');
    const tracked = trackPageDependencies(reads);
    const response = await renderPage(new Request(`${new URL(publicUrl).origin}${path}`), {
      reads: tracked.reads,
      campus,
      publicUrl,
      nonce,
      now: app.clock.now(),
      onError: (error) => app.log.error({ err: error, path: toLoggedPath(path) }, 'page failed'),
    });
    const { dependencies } = tracked;
    const { status } = response;
    const headers: Record<string, string> = {
      'cache-control': status >= 500 || status === 429 ? 'no-store' : 'no-cache',
      ...(status === 503 ? { 'retry-after': '2' } : {}),
      ...Object.fromEntries(response.headers),
    };
    if (!headers['content-type']?.startsWith('text/html')) {
      return { status, headers, body: Buffer.from(await response.arrayBuffer()), dependencies };
    }
    const { html, policy } = hashInlineScripts(await response.text(), nonce);
    return { status, headers: { ...headers, 'content-security-policy': policy }, body: html, dependencies };
  };
