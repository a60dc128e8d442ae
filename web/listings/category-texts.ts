import type { Campus, CampusLocale } from '#contract/campus.ts';
import { maxExactMatchCount } from '#contract/paging.ts';
import { formatCount } from '#web/lib/format.ts';

/** The texts of a category that has its own page design; other categories share a generic page. */
export interface CategoryTexts {
  title: string;
  subtitle: string;
  empty: string;
  note?: string | undefined;
}

const textsBySlug: Record<string, (campus: Campus) => CategoryTexts> = {
  'game-day': ({ mascot }) => ({
    title: `${mascot} Game Day Marketplace`,
    subtitle: 'Tickets, tailgate gear and parking passes, from students for students.',
    empty: 'No game day listings yet. Be the first to post!',
    note: 'Look for the verified mark: it means the seller has confirmed a campus email address. Hand tickets over by official transfer, and meet in a public place.',
  }),
  merchandise: ({ mascot }) => ({
    title: `Show Your ${mascot} Pride`,
    subtitle: 'Jerseys, hoodies, caps and everything else to wear on Saturday.',
    empty: 'No merchandise listings available yet.',
  }),
  rentals: () => ({
    title: 'Share and Save — Rent What You Need',
    subtitle: 'Borrow it from someone down the hall, and give it back when you are done.',
    empty: 'No rental listings available yet.',
    note: 'Rental periods and pickup are flexible: agree on both in messages, and meet on campus to hand things over.',
  }),
  furniture: () => ({
    title: 'Furniture & Essentials',
    subtitle: 'Desks, lamps, shelves and fridges for your next room.',
    empty: 'No furniture listings available yet.',
  }),
};

/**
 * Returns the texts of a category that has its own page design, or undefined for categories with the generic
 * page.
 */
export const findCategoryTexts = (slug: string, campus: Campus): CategoryTexts | undefined =>
  Object.hasOwn(textsBySlug, slug) ? textsBySlug[slug]?.(campus) : undefined;

/**
 * Returns the heading of a category page without its own copy: the slug in words, as in 'Study
 * items'. `trojan-merch` uses the name of the campus mascot instead.
 */
export const toGenericHeading = (slug: string, { mascot }: Pick<Campus, 'mascot'>): string => {
  if (slug === 'trojan-merch') return `${mascot} merch`;
  const words = slug.replace(/-/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Returns the line above a listing grid that says how many items are available. */
export const formatItemCount = (total: number, campus: CampusLocale): string =>
  total === 1 ? '1 item available' : `${formatCount(total, campus, maxExactMatchCount)} items available`;
