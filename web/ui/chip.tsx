import { clsx } from 'clsx';
import { Button, type ButtonProps } from './button.tsx';

export interface ChipProps extends ButtonProps {
  /** Makes the chip a toggle button, and says whether it is pressed. */
  pressed?: boolean | undefined;
}

/** A round button, for one of several choices that stand beside each other. */
export const Chip = ({ pressed, className, ...rest }: ChipProps) => (
  <Button
    variant="secondary"
    size="sm"
    aria-pressed={pressed}
    className={clsx(
      'figures rounded-full! aria-pressed:border-brand-text aria-pressed:bg-brand-soft',
      className,
    )}
    {...rest}
  />
);
