import { Link, type LinkProps } from 'react-router';

/** A link below or within a text. */
export function TextLink(props: LinkProps) {
  return (
    <Link
      {...props}
      className="inline-flex min-h-11 items-center font-semibold text-brand-text underline decoration-2 decoration-gold underline-offset-4"
    />
  );
}
