import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode } from 'react';
import { type ConsoleRole, isConsoleRoleSufficient } from '#contract/console.ts';
import { LazyBoundary } from '#web/ui/lazy-boundary.tsx';
import { PageSpinner } from '#web/ui/page-spinner.tsx';
import { ConsoleFrame } from './console-frame.tsx';
import type { ConsoleScreenProps } from './console-screen.ts';
import {
  type ConsoleSection,
  consoleSectionNames,
  consoleSections,
  parseConsolePath,
} from './console-sections.ts';

/** The screen of each section, loaded when it is opened. */
const screens: Record<ConsoleSection, LazyExoticComponent<ComponentType<ConsoleScreenProps>>> = {
  overview: lazy(async () => ({ default: (await import('./overview/overview-screen.tsx')).OverviewScreen })),
  cases: lazy(async () => ({ default: (await import('./cases/cases-screen.tsx')).CasesScreen })),
  people: lazy(async () => ({ default: (await import('./people/people-screen.tsx')).PeopleScreen })),
  forms: lazy(async () => ({ default: (await import('./forms/forms-screen.tsx')).SubmittedFormsScreen })),
  spots: lazy(async () => ({ default: (await import('./campus/spots-screen.tsx')).MeetingSpotsScreen })),
  announcement: lazy(async () => ({
    default: (await import('./campus/announcement-screen.tsx')).AnnouncementScreen,
  })),
  'demo-data': lazy(async () => ({
    default: (await import('./campus/demo-data-screen.tsx')).DemoDataScreen,
  })),
};

interface ConsoleProps {
  ownId: string;
  role: ConsoleRole;
  /** The path below /moderation. */
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
      <LazyBoundary key={open.section} fallback={<PageSpinner />}>
        <Screen ownId={ownId} role={role} id={open.id} />
      </LazyBoundary>
    </ConsoleFrame>
  );
}
