import { ChevronLeft } from 'lucide-react';
import { Link } from 'react-router';
import { ApiError } from '#web/lib/api-error.ts';
import { Alert } from '#web/ui/alert.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageSpinner } from '#web/ui/page-spinner.tsx';
import { type ConsoleSection, consoleLinks, consoleSections } from './console-sections.ts';

/** The link above an item of the console, such as a case, to the list of its section. */
export function BackToSection({ section }: { section: ConsoleSection }) {
  return (
    <Link
      to={consoleLinks.section(section)}
      className="-ml-1 inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text text-sm"
    >
      <ChevronLeft aria-hidden="true" className="size-4" />
      {consoleSections[section].title}
    </Link>
  );
}

export interface ConsoleItemPlaceholderProps {
  section: ConsoleSection;
  /** Why the item could not be loaded; null while it is loading. */
  error: Error | null;
  onRetry: () => void;
}

/** Shown instead of an item of the console while it is loading, or if it could not be loaded. */
export function ConsoleItemPlaceholder({ section, error, onRetry }: ConsoleItemPlaceholderProps) {
  if (!error) return <PageSpinner />;
  return (
    <>
      <BackToSection section={section} />
      {error instanceof ApiError && error.status === 404 ? (
        <Alert tone="error">{error.message}</Alert>
      ) : (
        <LoadFailed onRetry={onRetry}>{error.message}</LoadFailed>
      )}
    </>
  );
}
