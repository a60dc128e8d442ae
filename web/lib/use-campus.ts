import { useRouteLoaderData } from 'react-router';
import { type Campus, defaultCampus } from '#contract/campus.ts';

/** What the root's loader answers: the same for every page. */
export interface SiteData {
  campus: Campus;
  /** Scheme and host that visitors use, without a slash at the end. */
  publicUrl: string;
}

const useSite = () => useRouteLoaderData<SiteData>('root');

/** The campus of this deployment; its default where the root itself could not be read. */
export const useCampus = (): Campus => useSite()?.campus ?? defaultCampus;

export const usePublicUrl = (): string => useSite()?.publicUrl ?? '';
