import { clsx } from 'clsx';
import { Link, useLocation } from 'react-router';
import { links, textPagePaths } from '#web/lib/links.ts';
import { createArchesPath } from '#web/ui/illustrations/drawing.tsx';
import { Logo } from './logo.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

export interface SiteFooterProps {
  siteName: string;
  /** Short name of the campus, as in 'USC'. */
  campusShortName: string;
}

const linkColumns = [
  {
    title: 'Categories',
    links: [
      { to: links.category('game-day'), label: 'Game Day' },
      { to: links.category('merchandise'), label: 'Merchandise' },
      { to: links.category('furniture'), label: 'Furniture' },
      { to: links.category('rentals'), label: 'Rentals' },
    ],
  },
  {
    title: 'For Students',
    links: [
      { to: links.howItWorks, label: 'How It Works' },
      { to: links.safety, label: 'Safety Tips' },
      { to: links.guidelines, label: 'Community Guidelines' },
    ],
  },
  {
    title: 'Company',
    links: [
      { to: links.about, label: 'About' },
      { to: links.careers, label: 'Careers' },
      { to: links.contact, label: 'Contact' },
      { to: links.terms, label: 'Terms of Service' },
      { to: links.privacy, label: 'Privacy Policy' },
    ],
  },
];

const phonePaths = new Set([links.home, ...textPagePaths]);

/** The footer of every page. On phones, only the home page and the static pages show it. */
export function SiteFooter({ siteName, campusShortName }: SiteFooterProps) {
  const { pathname } = useLocation();
  return (
    <footer className={clsx('mt-auto', !phonePaths.has(pathname) && 'max-md:hidden')}>
      <FooterArches />
      <div className="dark-ground bg-brand-deep text-on-brand">
        <div className="page-gutters grid gap-x-8 gap-y-9 pt-9 pb-8 md:grid-cols-[1.4fr_3fr] md:pt-12">
          <div>
            <p className="flex items-center gap-2.5 font-extrabold text-2xl">
              <Logo className="size-9" />
              {siteName}
            </p>
            <p className="mt-3 max-w-xs text-on-brand-muted text-sm">{`Buy, sell, rent and give away, between ${campusShortName} students, face to face on campus.`}</p>
          </div>
          <div className="two-columns gap-x-4 gap-y-8 sm:grid-cols-3">
            {linkColumns.map((column) => (
              <nav key={column.title} aria-label={column.title}>
                <h2 className="mb-1.5 font-bold text-gold text-sm">{column.title}</h2>
                <ul>
                  {column.links.map((link) => (
                    <li key={link.to}>
                      <Link
                        to={link.to}
                        className="inline-flex min-h-11 items-center text-on-brand-muted text-sm underline-offset-4 hover:text-on-brand hover:underline"
                      >
                        {link.label}
                      </Link>
                    </li>
                  ))}
                </ul>
              </nav>
            ))}
          </div>
        </div>
        <div className="page-gutters flex flex-wrap items-center justify-between gap-4 border-white/15 border-t py-5">
          <p className="text-on-brand-muted text-sm">{`© 2024 ${siteName}. All rights reserved.`}</p>
          <ThemeToggle tone="inverse" />
        </div>
      </div>
    </footer>
  );
}

/** A decorative row of arches at the top of the footer, drawn in the footer's background color. */
function FooterArches() {
  return (
    <svg aria-hidden="true" focusable="false" className="block h-9 w-full fill-brand-deep md:h-12">
      <defs>
        <pattern id="footer-arcade" width="44" height="48" patternUnits="userSpaceOnUse" y="0">
          <path d={`M0 0h44v48H0z${createArchesPath(5, 49, 1, 34, 40, 0)}`} fillRule="evenodd" />
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill="url(#footer-arcade)" />
    </svg>
  );
}
