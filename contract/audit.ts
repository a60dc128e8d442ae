import { z } from 'zod';
import { singleLineTextSchema } from './text.ts';

const reasonErrorMessage = 'A reason has 1 to 500 characters';

/** The reason for an administrator's action: one line, stored with the audit entry. */
export const reasonSchema = singleLineTextSchema({
  required: reasonErrorMessage,
  min: { length: 1, sentence: reasonErrorMessage },
  max: { length: 500, sentence: reasonErrorMessage },
});

/** The body of a call of the console that changes something, which may have further fields. */
export const reasonBodySchema = z.object({ reason: reasonSchema });
