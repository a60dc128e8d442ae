import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useFocusAfterNavigation } from './page-heading.tsx';

export interface HeroBannerProps {
  title: ReactNode;
  subtitle?: ReactNode;
  actions?: ReactNode;
  /** A link before the title, such as Back to Home. */
  above?: ReactNode;
  /** A drawing that fills the banner (size `home`) or its right end (size `category`). */
  illustration?: ReactNode;
  /** A card that covers a part of the banner without moving anything. */
  overlay?: ReactNode;
  /**
   * The size of the banner. `home` is 400 px high, or only a slim bar for visitors who have opened a page
   * before.
   */
  size?: 'home' | 'category' | undefined;
  /** On phones, reduces the height and hides the subtitle, so that the list below is in view. */
  compact?: boolean | undefined;
}

/** The banner of a public page: its h1 on the campus color, which fades into the illustration. */
export function HeroBanner({
  title,
  subtitle,
  actions,
  above,
  illustration,
  overlay,
  size = 'category',
  compact = false,
}: HeroBannerProps) {
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  const isHome = size === 'home';
  return (
    <section
      className={clsx(
        'group relative isolate flex dark-ground overflow-hidden bg-brand-deep text-on-brand',
        isHome
          ? 'min-h-100 items-end py-9 returning:mown md:items-center md:py-0 returning:min-h-0 returning:items-center returning:py-3 md:returning:py-6'
          : compact
            ? 'mown items-center pt-2 pb-3 md:min-h-56 md:py-7'
            : 'mown min-h-44 items-center py-7 md:min-h-56',
      )}
    >
      {illustration && (
        <div
          className={clsx(
            'absolute inset-y-0 right-0 -z-10',
            isHome
              ? 'left-0 md:left-[22%] max-md:returning:hidden'
              : 'mask-l-from-50% left-1/2 hidden sm:block lg:left-[56%]',
          )}
        >
          {illustration}
        </div>
      )}
      {isHome && (
        <div className="absolute inset-0 -z-10 bg-linear-to-t from-30% from-brand-deep via-60% via-brand-deep/70 to-transparent md:bg-linear-to-r md:from-30% md:via-50% md:via-brand-deep/80 md:to-78% max-md:returning:hidden md:returning:from-60% md:returning:via-75% md:returning:to-100%" />
      )}
      <div className="page-gutters">
        <div
          className={clsx(
            isHome
              ? 'max-w-md md:max-w-96 lg:max-w-lg returning:flex returning:max-w-none returning:flex-wrap returning:items-center returning:gap-x-4 returning:gap-y-2 md:returning:gap-8'
              : 'max-w-xl sm:max-w-[55%] lg:max-w-xl',
          )}
        >
          {above && <div className={compact ? 'md:mb-3' : 'mb-3'}>{above}</div>}
          <h1
            ref={heading}
            tabIndex={-1}
            className={clsx(
              'font-extrabold outline-none',
              isHome
                ? 'text-4xl returning:flex-1 returning:basis-[8rem] returning:text-xl md:returning:flex-none md:returning:text-2xl'
                : compact
                  ? 'text-2xl md:text-3xl'
                  : 'text-3xl',
            )}
          >
            {title}
          </h1>
          {subtitle && (
            <p
              className={clsx(
                'mt-3 max-w-prose text-lg text-on-brand-muted',
                compact && 'max-md:hidden',
                isHome && 'returning:hidden',
              )}
            >
              {subtitle}
            </p>
          )}
          {actions && (
            <div
              className={clsx(
                'mt-6 flex flex-wrap gap-3',
                isHome && 'shrink-0 returning:mt-0 max-xl:returning:group-has-data-next-handover:invisible',
              )}
            >
              {actions}
            </div>
          )}
        </div>
      </div>
      {overlay}
    </section>
  );
}
