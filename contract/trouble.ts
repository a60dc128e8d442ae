/** Messages of the error catalogue that pages also show, and therefore carry with them. */
export const trouble = {
  internal: 'Something went wrong. Please try again.',
  unavailable: 'Service unavailable, please retry shortly.',
  rate_limited: 'Too many requests. Try again in a few minutes.',
} as const;
