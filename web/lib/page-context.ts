import { createContext } from 'react-router';
import type { PageContext } from '#contract/reads.ts';

/** The router context in which loaders of public pages find the read API. */
export const pageContext = createContext<PageContext>();
