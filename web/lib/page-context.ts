import { createContext } from 'react-router';
import type { PageContext } from '#contract/reads.ts';

/** Where the loaders of public pages find what they may read. */
export const pageContext = createContext<PageContext>();
