import type { PublicReads } from '#contract/reads.ts';
import { toProblem } from '#server/http/error-replies.ts';

/**
 * The reads as pages make them: when the database cannot be reached the page answers 503, by the only means the
 * router takes from a loader, a thrown answer. Everything else passes as it is.
 */
export const createPageReads = (reads: PublicReads, onError: (error: unknown) => void): PublicReads => {
  const patient =
    <Input, Output>(read: (input: Input) => Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      try {
        return await read(input);
      } catch (error) {
        const { code } = toProblem(error);
        // What cannot be stored cannot be found.
        if (code === 'malformed_request') throw new Response(null, { status: 404 });
        if (code !== 'unavailable') throw error;
        onError(error);
        throw new Response(null, { status: 503 });
      }
    };
  return {
    listListings: patient(reads.listListings),
    listLatest: patient(reads.listLatest),
    getListing: patient(reads.getListing),
    listSimilar: patient(reads.listSimilar),
  };
};
