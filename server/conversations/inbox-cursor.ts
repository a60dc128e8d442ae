import { z } from 'zod';
import { fieldProblem } from '#contract/errors.ts';
import type { InboxPosition } from './inbox-repository.ts';

// PostgreSQL knows no year 0.
const schema = z.tuple([z.iso.datetime().refine((instant) => !instant.startsWith('0000')), z.uuid()]);

/** Returns the opaque text that a client sends to read on after a position. */
export const writeInboxCursor = ({ updatedAt, id }: InboxPosition): string =>
  Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url');

/** Returns the position of a cursor; throws a problem for a text that is none. */
export const readInboxCursor = (cursor: string): InboxPosition => {
  try {
    const [updatedAt, id] = schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { updatedAt, id };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
  throw fieldProblem({ cursor: 'This place in the list cannot be found' });
};
