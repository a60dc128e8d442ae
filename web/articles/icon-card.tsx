import type { ReactNode } from 'react';
import { Card } from '#web/ui/card.tsx';

export interface IconCardProps {
  /** An icon element or a step number. */
  icon: ReactNode;
  title: string;
  text: string;
  /** Links below the text. */
  children?: ReactNode;
}

export function IconCard({ icon, title, text, children }: IconCardProps) {
  return (
    <Card padded className="flex h-full flex-col">
      <span
        aria-hidden="true"
        className="mb-4 grid size-11 shrink-0 place-items-center rounded-md bg-brand-soft font-extrabold text-brand-text text-lg [&_svg]:size-5.5"
      >
        {icon}
      </span>
      <h3 className="font-bold text-lg leading-snug">{title}</h3>
      <p className="mt-2 text-ink-muted">{text}</p>
      {children}
    </Card>
  );
}
