/**
 * Messages of the error catalog that pages also display. They have their own module so that pages need not load the
 * whole catalog.
 */
export const generalErrorMessages = {
  internal: 'Something went wrong. Please try again.',
  unavailable: 'Service unavailable, please retry shortly.',
  rate_limited: 'Too many requests. Try again in a few minutes.',
} as const;
