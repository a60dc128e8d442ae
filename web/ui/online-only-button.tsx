import { useOnline } from '#web/lib/use-online.ts';
import { Button, type ButtonProps } from './button.tsx';

/** A button that needs a connection; while offline, it is disabled and says why. */
export function OnlineOnlyButton({ disabled, children, ...button }: ButtonProps) {
  const isOnline = useOnline();
  return (
    <Button {...button} disabled={disabled || !isOnline}>
      {isOnline ? children : 'You’re offline'}
    </Button>
  );
}
