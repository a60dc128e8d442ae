import type { ConsoleRole } from '#contract/console.ts';
import { links } from '#web/lib/links.ts';

interface ConsoleSectionInfo {
  title: string;
  /** The role that a person needs to open the section. */
  role: ConsoleRole;
}

/**
 * The sections of the console, in the order of its navigation. The keys are the path segments after
 * /moderation.
 */
export const consoleSections = {
  overview: { title: 'Overview', role: 'moderator' },
  cases: { title: 'Cases', role: 'moderator' },
  people: { title: 'People', role: 'administrator' },
  forms: { title: 'Forms', role: 'administrator' },
  spots: { title: 'Meeting spots', role: 'administrator' },
  courses: { title: 'Courses', role: 'administrator' },
  announcement: { title: 'Announcement', role: 'administrator' },
  'demo-data': { title: 'Demo data', role: 'administrator' },
} as const satisfies Record<string, ConsoleSectionInfo>;
export type ConsoleSection = keyof typeof consoleSections;

export const consoleSectionNames = Object.keys(consoleSections) as ConsoleSection[];

/** Paths of the console's screens. */
export const consoleLinks = {
  section: (section: ConsoleSection): string =>
    section === 'overview' ? links.moderation : `${links.moderation}/${section}`,
  case: (id: string): string => `${links.moderation}/cases/${encodeURIComponent(id)}`,
  person: (id: string): string => `${links.moderation}/people/${encodeURIComponent(id)}`,
  form: (id: string): string => `${links.moderation}/forms/${encodeURIComponent(id)}`,
} as const;

/** The sections in which a path may contain the id of an item, such as a case. */
const sectionsWithItems: readonly ConsoleSection[] = ['cases', 'people', 'forms'];

const isSection = (name: string): name is ConsoleSection => Object.hasOwn(consoleSections, name);

/**
 * Parses a path below /moderation, such as `people/1234`, into section and item id. Returns undefined if
 * no screen has this path.
 */
export const parseConsolePath = (
  path: string,
): { section: ConsoleSection; id: string | undefined } | undefined => {
  const [section = 'overview', id, ...rest] = path.split('/').filter(Boolean);
  if (rest.length > 0 || !isSection(section)) return undefined;
  if (id !== undefined && !sectionsWithItems.includes(section)) return undefined;
  return { section, id };
};

/** Returns the title of the section to which a path below /moderation belongs. */
export const getConsoleSectionTitle = (path: string): string => {
  const parsed = parseConsolePath(path);
  return parsed ? `${consoleSections[parsed.section].title} · Moderation` : 'Moderation';
};
