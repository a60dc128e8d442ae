/** What is said when the fault is ours: sentences of the error catalogue that every page carries with it. */
export const trouble = {
  internal: 'Something went wrong. Please try again.',
  unavailable: 'Service unavailable, please retry shortly.',
} as const;
