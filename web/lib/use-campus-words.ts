import { useCampus } from './use-campus.ts';

/** Returns the words of the campus, which people often use in passwords. */
export const useCampusWords = (): string[] => {
  const { name, shortName, domain, mascot, siteName } = useCampus();
  return [name, shortName, domain, mascot, siteName];
};
