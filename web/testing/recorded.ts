import type { CallDeclaration, CallOutput } from '#contract/calls/declare-call.ts';
import { calls } from '#contract/calls.ts';
import responses from './recorded-responses.json' with { type: 'json' };

type RecordedName = keyof typeof responses & keyof typeof calls;

/**
 * Returns a new copy of the demo campus's response to a call (`npm run record-responses`). Throws when it does
 * not fit the call's schema any more.
 */
export const getRecorded = <Name extends RecordedName>(name: Name): CallOutput<(typeof calls)[Name]> => {
  const call: CallDeclaration = calls[name];
  return call.output.parse(structuredClone(responses[name])) as CallOutput<(typeof calls)[Name]>;
};
