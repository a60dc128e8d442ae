import { line } from './text.ts';

const reasonSentence = 'A reason has 1 to 500 characters';

/** Why an administrator did something: one line, kept with the audit entry. */
export const reasonSchema = line({
  required: reasonSentence,
  min: { length: 1, sentence: reasonSentence },
  max: { length: 500, sentence: reasonSentence },
});
