import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FindKeptAddress, RenderPage } from '#contract/reads.ts';

/** The pages as they were built: how to render one, where it is kept, and the folder of what browsers fetch. */
export interface PagesBuild {
  renderPage: RenderPage;
  findKeptAddress: FindKeptAddress;
  clientFolder: string;
}

const built = new URL('../../build/', import.meta.url);

/** Loads the built pages. Throws a clear error when they have not been built. */
export const loadPagesBuild = async (): Promise<PagesBuild> => {
  const entry = new URL('server/index.js', built);
  if (!existsSync(entry)) throw new Error('The pages have not been built: run `node tools/setup.mjs`');
  const { renderPage, findKeptAddress } = (await import(entry.href)) as Omit<PagesBuild, 'clientFolder'>;
  return { renderPage, findKeptAddress, clientFolder: fileURLToPath(new URL('client', built)) };
};
