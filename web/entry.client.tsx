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

/** Delay before loading the deferred script, in ms, so that the page is idle. Without a connection it loads at once. */
const deferredScriptDelayMs = 2000;
setTimeout(
  () => {
    import('./entry.deferred.tsx').catch(() => {
      // The page works without it.
    });
  },
  navigator.onLine ? deferredScriptDelayMs : 0,
);
