import { z } from 'zod';
import { createSingleLineTextSchema } from './text.ts';

const reasonErrorMessage = 'A reason has 1 to 500 characters';

/** An administrator's reason for an action: one line of text, stored with the audit entry. */
export const auditReasonSchema = createSingleLineTextSchema({
  required: reasonErrorMessage,
  min: { length: 1, sentence: reasonErrorMessage },
  max: { length: 500, sentence: reasonErrorMessage },
});

/** The body of a console call that changes data; most calls add fields of their own. */
export const auditReasonBodySchema = z.object({ reason: auditReasonSchema });
