import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { controlClasses } from './control-classes.ts';
import { useFieldControl } from './field.tsx';

/** A text field for several lines that grows with its text and whose direction follows it. With `rows`, it is never lower than that. */
export function Textarea({ className, rows, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      dir="auto"
      rows={rows ?? 5}
      // `field-sizing: content` makes browsers ignore `rows`, so the height of the lines, the padding and the
      // border are added up here.
      style={{ minHeight: rows && `max(2.75rem, ${rows}lh + 1rem + 2px)` }}
      className={clsx(controlClasses, 'field-sizing-content max-h-96 resize-y leading-normal', className)}
      {...useFieldControl()}
      {...rest}
    />
  );
}
