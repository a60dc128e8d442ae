import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { controlClasses } from './control-classes.ts';
import { useFieldControl } from './field.tsx';

export function Textarea({ className, rows = 5, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      className={clsx(controlClasses, 'field-sizing-content max-h-96 resize-y leading-normal', className)}
      {...useFieldControl()}
      {...rest}
    />
  );
}
