import { createContext } from 'react-router';
import type { PageContext } from '#contract/reads.ts';

/** The router context that gives loaders of public pages the read API and the campus. */
export const pageContext = createContext<PageContext>();
