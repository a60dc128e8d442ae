import type { ReactNode } from 'react';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';

export interface LoadFailedProps {
  title?: string | undefined;
  /** What could not be loaded, or the reason. */
  children: ReactNode;
  onRetry: () => void;
}

/** Shown in place of something that could not be loaded, with a retry button. */
export function LoadFailed({ title, children, onRetry }: LoadFailedProps) {
  return (
    <Alert
      tone="error"
      title={title}
      action={
        <Button variant="secondary" size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {children}
    </Alert>
  );
}
