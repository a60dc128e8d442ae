import { createContext } from 'react';

// React contexts whose values exist only during server rendering; in the browser they are undefined.

/** The time at which the server renders the page. */
export const RenderTimeContext = createContext<Date | undefined>(undefined);

/** The nonce of inline scripts. */
export const ScriptNonceContext = createContext<string | undefined>(undefined);
