import { randomBytes } from 'node:crypto';
import type { Campus } from '#contract/campus.ts';
import type { PublicReads, RenderPage } from '#contract/reads.ts';
import { hashInlineScripts } from './csp-hashes.ts';
import { type PageDependencies, trackDependencies } from './page-dependencies.ts';

export interface RenderedPage {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** What it was rendered from. */
  dependencies: PageDependencies;
}

/** Renders the page (or a page's data) at a URL. */
export type Render = (path: string) => Promise<RenderedPage>;

export interface RenderDeps {
  renderPage: RenderPage;
  reads: PublicReads;
  campus: Campus;
  publicUrl: string;
  onError(error: unknown, path: string): void;
}

/** Creates the renderer. Pages are rendered from the URL alone, so one page serves everybody. */
export const createRender =
  ({ renderPage, reads, campus, publicUrl, onError }: RenderDeps): Render =>
  async (path) => {
    const nonce = randomBytes(16).toString('hex');
    const tracked = trackDependencies(reads);
    const response = await renderPage(new Request(`${new URL(publicUrl).origin}${path}`), {
      reads: tracked.reads,
      campus,
      publicUrl,
      nonce,
      onError: (error) => onError(error, path),
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
