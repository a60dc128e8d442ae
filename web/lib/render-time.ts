import { createContext } from 'react';

/**
 * The React context with the time at which the server renders the page. Its value is undefined in the
 * browser.
 */
export const RenderTimeContext = createContext<Date | undefined>(undefined);
