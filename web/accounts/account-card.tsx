import type { ReactNode } from 'react';
import { Card } from '#web/ui/card.tsx';
import { useFocusAfterNavigation } from '#web/ui/page-heading.tsx';

export interface AccountFormCardProps {
  title: string;
  subtitle?: ReactNode;
  children: ReactNode;
  /** Links to the other account screens, below the card. */
  footer?: ReactNode;
}

export function AccountFormCard({ title, subtitle, children, footer }: AccountFormCardProps) {
  const heading = useFocusAfterNavigation<HTMLHeadingElement>(title);
  return (
    <div className="mx-auto flex w-full max-w-lg flex-1 flex-col justify-center px-4 py-8 md:py-14">
      <Card padded className="md:p-8!">
        <h1 ref={heading} tabIndex={-1} className="font-extrabold text-2xl outline-none">
          {title}
        </h1>
        {subtitle && <p className="mt-2 text-ink-muted">{subtitle}</p>}
        <div className="mt-6">{children}</div>
      </Card>
      {footer && <div className="mt-5 text-center text-sm">{footer}</div>}
    </div>
  );
}
