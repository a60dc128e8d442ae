import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});

/** Long enough for the page to be there and at rest, in milliseconds. Without a connection there is news at once. */
const laterMs = 2000;
setTimeout(
  () => {
    import('./entry.deferred.tsx').catch(() => {
      // Nothing of the page depends on it.
    });
  },
  navigator.onLine ? laterMs : 0,
);
