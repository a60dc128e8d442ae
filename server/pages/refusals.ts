import type { Problem } from '#contract/errors.ts';
import { type Encoding, finishPage, type Page } from './page.ts';
import { createRender, type RenderDeps } from './render.ts';

const refuseToRead = async () => {
  throw new Response(null, { status: 429 });
};
/** The page about too many requests reads no data. */
const noReads = {
  listListings: refuseToRead,
  listSimilarMatches: refuseToRead,
  listLatest: refuseToRead,
  getListing: refuseToRead,
  listSimilar: refuseToRead,
};

/** Returns a function that renders the error page for too many requests, with a Retry-After header in seconds. */
export const createRefusals = ({
  protection,
  ...renderDeps
}: Omit<RenderDeps, 'reads'> & { protection: Record<string, string> }) => {
  const render = createRender({ ...renderDeps, reads: noReads });
  return async (path: string, { retryAfter = 60 }: Problem, wanted: Encoding): Promise<Page> => {
    const page = await render(path);
    const headers = { ...page.headers, 'retry-after': String(retryAfter) };
    return finishPage({ ...page, headers }, protection, { cacheable: false, wanted: [wanted] });
  };
};
