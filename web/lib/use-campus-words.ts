import { useCampus } from './use-campus.ts';

/** The words of the campus, which are the first that come to mind for a password. */
export const useCampusWords = (): string[] => {
  const { name, shortName, domain, mascot, siteName } = useCampus();
  return [name, shortName, domain, mascot, siteName];
};
