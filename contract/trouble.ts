/** Messages of the error catalogue that pages also display, in a module without the rest of the catalogue. */
export const trouble = {
  internal: 'Something went wrong. Please try again.',
  unavailable: 'Service unavailable, please retry shortly.',
  rate_limited: 'Too many requests. Try again in a few minutes.',
} as const;
