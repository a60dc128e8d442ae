import { useRouteLoaderData } from 'react-router';
import { type Campus, defaultCampus } from '#contract/campus.ts';

/** The root loader's data, the same for every page. */
export interface SiteData {
  campus: Campus;
  /** Public scheme and host, without a trailing slash. */
  publicUrl: string;
}

const useSiteData = () => useRouteLoaderData<SiteData>('root');

/** Returns the campus of this deployment; the default one when the root loader failed. */
export const useCampus = (): Campus => useSiteData()?.campus ?? defaultCampus;

export const usePublicUrl = (): string => useSiteData()?.publicUrl ?? '';

/** Returns the words of the campus, which people often use in passwords. */
export const useCampusWords = (): string[] => {
  const { name, shortName, domain, mascot, siteName } = useCampus();
  return [name, shortName, domain, mascot, siteName];
};
