import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { watchFirstInput } from './lib/first-input.ts';
import { hasLeftInitialUrl, listenToPopState } from './lib/pop-state.ts';
import { keepTypedText, restoreTypedText } from './lib/typed-text.ts';
import { recordScriptsLoaded } from './shell/failed-scripts.ts';

recordScriptsLoaded();
listenToPopState();
watchFirstInput();

if (hasLeftInitialUrl()) window.location.reload();
else {
  keepTypedText();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
      {
        onRecoverableError: (error) => {
          reportError(error);
          restoreTypedText();
        },
      },
    );
  });
}

/**
 * Delay in ms before the deferred script is loaded, so that it does not compete with the page's own
 * scripts. On an offline device there is no delay, because the script contains the offline banner.
 */
const deferredScriptDelayMs = 2000;
setTimeout(
  () => {
    import('./entry.deferred.tsx').catch(() => {
      // If the deferred script cannot be loaded, the page works without it.
    });
  },
  navigator.onLine ? deferredScriptDelayMs : 0,
);
