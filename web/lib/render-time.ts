import { createContext } from 'react';

/** The time at which the server renders the page; undefined in the browser. */
export const RenderTimeContext = createContext<Date | undefined>(undefined);
