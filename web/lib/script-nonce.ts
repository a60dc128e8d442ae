import { createContext } from 'react';

/** Marks the inline scripts of a page while it is rendered on the server; nothing in the browser. */
export const ScriptNonce = createContext<string | undefined>(undefined);
