import type { ReactNode } from 'react';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';

export interface LoadFailedProps {
  title?: string | undefined;
  /** The message: what could not be loaded, or the reason. */
  children: ReactNode;
  onRetry: () => void;
}

/** An error message with a retry button, shown instead of content that could not be loaded. */
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
