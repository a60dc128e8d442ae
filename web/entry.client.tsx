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

/** Delay in ms before the deferred script is loaded, so that the page is idle by then. Offline it loads immediately. */
const deferredScriptDelayMs = 2000;
setTimeout(
  () => {
    import('./entry.deferred.tsx').catch(() => {
      // The page works without it.
    });
  },
  navigator.onLine ? deferredScriptDelayMs : 0,
);
