import { clsx } from 'clsx';
import { Link, type LinkProps } from 'react-router';

const textLinkClasses =
  'font-semibold text-brand-text underline decoration-2 decoration-gold underline-offset-4';

/** An underlined link inside a sentence. */
export function TextLink(props: LinkProps) {
  return <Link {...props} className={textLinkClasses} />;
}

/** An underlined link on its own line, or at the end of a short one, that is high enough to tap. */
export function StandaloneLink(props: LinkProps) {
  return <Link {...props} className={clsx(textLinkClasses, 'inline-flex min-h-11 items-center')} />;
}
