import { useRouteLoaderData } from 'react-router';
import type { AnnouncementSchedule } from '#contract/announcements.ts';
import { type Campus, defaultCampus } from '#contract/campus.ts';

/** The root loader's data, which is the same on every page. */
export interface SiteData {
  campus: Campus;
  /** Public scheme and host, without a trailing slash. */
  publicUrl: string;
  announcement: AnnouncementSchedule['current'];
}

const useSiteData = () => useRouteLoaderData<SiteData>('root');

/** Returns the campus of this deployment, or the default campus if the root loader failed. */
export const useCampus = (): Campus => useSiteData()?.campus ?? defaultCampus;

/** Returns the announcement that was current when the page was rendered, or null if there was none. */
export const useAnnouncement = (): SiteData['announcement'] => useSiteData()?.announcement ?? null;

export const usePublicUrl = (): string => useSiteData()?.publicUrl ?? '';

/**
 * Returns the names of the campus and the site. A password that contains one of these names is easy
 * to guess.
 */
export const useCampusNames = (): string[] => {
  const { name, shortName, domain, mascot, siteName } = useCampus();
  return [name, shortName, domain, mascot, siteName];
};
