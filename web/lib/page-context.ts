import { createContext } from 'react-router';
import type { PageRenderContext } from '#contract/page-rendering.ts';

/** The router context through which loaders of public pages read data from the server and get the campus. */
export const pageLoaderContext = createContext<PageRenderContext>();
