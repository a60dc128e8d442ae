import { lineSchema } from './text.ts';

const reasonSentence = 'A reason has 1 to 500 characters';

/** The reason for an administrator's action: one line, stored with the audit entry. */
export const reasonSchema = lineSchema({
  required: reasonSentence,
  min: { length: 1, sentence: reasonSentence },
  max: { length: 500, sentence: reasonSentence },
});
