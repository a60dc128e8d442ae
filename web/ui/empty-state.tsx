import { clsx } from 'clsx';
import type { ReactNode, Ref } from 'react';

export interface EmptyStateProps {
  illustration?: ReactNode;
  title: ReactNode;
  text?: ReactNode;
  /** One primary button, optionally followed by a secondary one. */
  action?: ReactNode;
  /** The title's element; PageEmptyState has an `h1`. */
  as?: 'h1' | 'h2' | 'h3' | 'p' | undefined;
  /** A ref for the title, which can then take the focus. */
  titleRef?: Ref<HTMLHeadingElement> | undefined;
  className?: string | undefined;
}

export function EmptyState({
  illustration,
  title,
  text,
  action,
  as: Title = 'p',
  titleRef,
  className,
}: EmptyStateProps) {
  return (
    <div className={clsx('mx-auto flex max-w-md flex-col items-center px-4 py-10 text-center', className)}>
      {illustration && <div className="mb-5 w-52 max-w-full">{illustration}</div>}
      <Title
        ref={titleRef}
        tabIndex={titleRef ? -1 : undefined}
        className={clsx('font-extrabold outline-none', Title === 'h1' ? 'text-2xl' : 'text-xl')}
      >
        {title}
      </Title>
      {text && <div className="mt-2 text-ink-muted">{text}</div>}
      {action && <div className="mt-6 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}
