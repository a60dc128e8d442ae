/** What is said in place of a page: sentences of the error catalogue that every page carries with it. */
export const trouble = {
  internal: 'Something went wrong. Please try again.',
  unavailable: 'Service unavailable, please retry shortly.',
  rate_limited: 'Too many requests. Try again in a few minutes.',
} as const;
