import { Link, type LinkProps } from 'react-router';

/** An underlined text link, inline or on its own line. */
export function TextLink(props: LinkProps) {
  return (
    <Link
      {...props}
      className="inline-flex min-h-11 items-center font-semibold text-brand-text underline decoration-2 decoration-gold underline-offset-4"
    />
  );
}
