import { z } from 'zod';
import { createFieldProblem } from '#contract/errors.ts';
import type { DealPosition } from './history-repository.ts';

// PostgreSQL rejects timestamps in year 0.
const cursorSchema = z.tuple([z.iso.datetime().refine((instant) => !instant.startsWith('0000')), z.uuid()]);

/** Encodes a position as an opaque cursor, which the client sends to request the next page. */
export const encodeDealCursor = ({ createdAt, id }: DealPosition): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');

/** Decodes a cursor; throws validation_failed for any other text. */
export const decodeDealCursor = (cursor: string): DealPosition => {
  try {
    const [createdAt, id] = cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { createdAt, id };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
  throw createFieldProblem({ cursor: 'This place in the list cannot be found' });
};
