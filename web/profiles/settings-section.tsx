import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Card } from '#web/ui/card.tsx';

interface SettingsSectionProps {
  title: string;
  /** Whether the page has only this section. On phones, the title of the page says the same then. */
  isOnly?: boolean;
  children: ReactNode;
}

/** A section of a page of the settings. */
export function SettingsSection({ title, isOnly = false, children }: SettingsSectionProps) {
  return (
    <Card className="p-4 md:p-6">
      <section aria-label={title}>
        <h2 className={clsx('mb-4 font-extrabold text-lg', isOnly && 'max-md:hidden')}>{title}</h2>
        {children}
      </section>
    </Card>
  );
}
