import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FindKeptAddress, RenderOfflinePage, RenderPage } from '#contract/reads.ts';

/** The pages as they were built: how to render one, where it is kept, and what browsers fetch. */
export interface PagesBuild {
  renderPage: RenderPage;
  renderOfflinePage: RenderOfflinePage;
  findKeptAddress: FindKeptAddress;
  /** The folder of the files that browsers fetch. */
  clientFolder: string;
  /** The script of the service worker. */
  worker: string;
}

const built = new URL('../../build/', import.meta.url);

/** Loads the built pages. Throws a clear error when they have not been built. */
export const loadPagesBuild = async (): Promise<PagesBuild> => {
  const entry = new URL('server/index.js', built);
  if (!existsSync(entry)) throw new Error('The pages have not been built: run `node tools/setup.mjs`');
  const { renderPage, renderOfflinePage, findKeptAddress } = (await import(entry.href)) as Omit<
    PagesBuild,
    'clientFolder' | 'worker'
  >;
  return {
    renderPage,
    renderOfflinePage,
    findKeptAddress,
    clientFolder: fileURLToPath(new URL('client', built)),
    worker: await readFile(new URL('worker.js', built), 'utf8'),
  };
};
