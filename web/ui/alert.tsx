import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import type { ReactNode } from 'react';

const toneStyles = {
  error: { box: 'bg-danger-soft text-danger', Icon: CircleAlert },
  success: { box: 'bg-lawn-soft text-lawn-text', Icon: CircleCheck },
  info: { box: 'bg-info-soft text-info-text', Icon: Info },
  notice: { box: 'bg-gold-soft text-gold-text', Icon: Info },
};

export interface AlertProps {
  tone?: keyof typeof toneStyles | undefined;
  title?: string | undefined;
  children?: ReactNode;
  /** A button or link at the end of the message. */
  action?: ReactNode;
  className?: string | undefined;
}

/** A message box in the page. Screen readers announce errors immediately and other messages when they are idle. */
export function Alert({ tone = 'info', title, children, action, className }: AlertProps) {
  const { box, Icon } = toneStyles[tone];
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={clsx(
        'flex flex-wrap items-start gap-3 rounded-md px-4 py-3 text-sm forced-colors:border',
        box,
        className,
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0 flex-1 basis-[7rem]">
        {title && <p className="font-bold">{title}</p>}
        {children && <div className={clsx(title && 'text-ink')}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
