import type { ComponentType, ReactNode } from 'react';
import { type ConsoleRole, isConsoleRoleSufficient } from '#contract/console.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { PageSpinner } from '#web/ui/page-spinner.tsx';
import { ConsoleFrame } from './console-frame.tsx';
import type { ConsoleScreenProps } from './console-screen.ts';
import {
  type ConsoleSection,
  consoleSectionNames,
  consoleSections,
  parseConsolePath,
} from './console-sections.ts';

const lazyScreen = (load: () => Promise<ComponentType<ConsoleScreenProps>>) =>
  lazyComponent(load, { placeholder: PageSpinner });

/** The screen of each section, loaded when it is opened. */
const screens: Record<ConsoleSection, ComponentType<ConsoleScreenProps>> = {
  overview: lazyScreen(async () => (await import('./overview/overview-screen.tsx')).OverviewScreen),
  cases: lazyScreen(async () => (await import('./cases/cases-screen.tsx')).CasesScreen),
  people: lazyScreen(async () => (await import('./people/people-screen.tsx')).PeopleScreen),
  forms: lazyScreen(async () => (await import('./forms/forms-screen.tsx')).SubmittedFormsScreen),
  spots: lazyScreen(async () => (await import('./campus/spots-screen.tsx')).MeetingSpotsScreen),
  courses: lazyScreen(async () => (await import('./campus/courses-screen.tsx')).CoursesScreen),
  announcement: lazyScreen(async () => (await import('./campus/announcement-screen.tsx')).AnnouncementScreen),
  'demo-data': lazyScreen(async () => (await import('./campus/demo-data-screen.tsx')).DemoDataScreen),
};

interface ConsoleProps {
  ownId: string;
  role: ConsoleRole;
  path: string;
  /** Shown if the path does not exist or the person's role may not open it. */
  notFound: ReactNode;
}

/** The console of moderators and administrators: its navigation, and the screen that belongs to the path. */
export function Console({ ownId, role, path, notFound }: ConsoleProps) {
  const allowed = consoleSectionNames.filter((name) =>
    isConsoleRoleSufficient(role, consoleSections[name].role),
  );
  const open = parseConsolePath(path);
  if (!open || !allowed.includes(open.section)) return notFound;
  const Screen = screens[open.section];
  return (
    <ConsoleFrame sections={allowed} open={open.section}>
      <Screen ownId={ownId} role={role} id={open.id} />
    </ConsoleFrame>
  );
}
