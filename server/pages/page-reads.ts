import type { PublicReads } from '#contract/reads.ts';
import { toProblem } from '#server/http/error-replies.ts';

/**
 * Wraps the reads of pages: when the database is unavailable the page responds with 503, which a loader does by throwing
 * a Response. Other errors pass unchanged.
 */
export const createPageReads = (reads: PublicReads, onError: (error: unknown) => void): PublicReads => {
  const withUnavailable =
    <Input, Output>(read: (input: Input) => Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      try {
        return await read(input);
      } catch (error) {
        const { code } = toProblem(error);
        // A text that cannot be stored cannot be found either.
        if (code === 'malformed_request') throw new Response(null, { status: 404 });
        if (code !== 'unavailable') throw error;
        onError(error);
        throw new Response(null, { status: 503 });
      }
    };
  return {
    listListings: withUnavailable(reads.listListings),
    listSimilarMatches: withUnavailable(reads.listSimilarMatches),
    listLatest: withUnavailable(reads.listLatest),
    getListing: withUnavailable(reads.getListing),
    listSimilar: withUnavailable(reads.listSimilar),
  };
};
