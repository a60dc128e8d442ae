import { declareStoredValue } from '#web/lib/stored-values.ts';

/** The push endpoint of this browser (its URL at the push service) that was last reported to the server for an account. */
export const pushEndpoint = declareStoredValue({
  name: 'push-endpoint',
  scope: 'device',
  parse: (stored) => (typeof stored === 'string' ? stored : undefined),
});
