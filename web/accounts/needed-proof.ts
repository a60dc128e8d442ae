import type { ActionError } from './session-actions.ts';

/** What the person has to show before an action: that it is them, or their passkey as the second step of their log-in. */
export type NeededProof = 'identity' | 'second factor';

const proofsByErrorCode: Record<string, NeededProof> = {
  reauthentication_needed: 'identity',
  insufficient_aal: 'second factor',
};

/** Returns what was missing when an action failed, or undefined if it failed for another reason. */
export const findNeededProof = (error: ActionError | undefined): NeededProof | undefined =>
  error && proofsByErrorCode[error.code];
