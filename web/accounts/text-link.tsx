import { Link, type LinkProps } from 'react-router';

/** A link within a sentence. */
export function TextLink(props: LinkProps) {
  return (
    <Link
      {...props}
      className="font-semibold text-brand-text underline decoration-gold decoration-2 underline-offset-4"
    />
  );
}
