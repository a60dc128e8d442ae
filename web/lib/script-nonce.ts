import { createContext } from 'react';

/**
 * The React context with the nonce of inline scripts during server rendering. Its value is undefined in the
 * browser.
 */
export const ScriptNonceContext = createContext<string | undefined>(undefined);
