import type { Page } from '@playwright/test';
import {
  createDialogOpener,
  createDialogSwitcher,
  goOffline,
  type Screen,
  startLaterSession,
} from './screen.ts';

const getSearchBox = (page: Page) => page.getByRole('combobox', { name: 'Search' }).filter({ visible: true });

const showSuggestions = async (page: Page): Promise<void> => {
  await getSearchBox(page).first().pressSequentially('laptop');
  await page.getByRole('option').nth(1).waitFor();
  await page.keyboard.press('ArrowDown');
};

const waitForWanted = (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: /^I have this/ })
    .first()
    .waitFor();

const showOtherCopies = async (page: Page): Promise<void> => {
  await page.getByRole('main').locator('footer, :last-child').last().scrollIntoViewIfNeeded();
  const heading = page.getByRole('heading', { name: 'Other copies of this book' });
  await heading.scrollIntoViewIfNeeded();
};

const expandFilters = async (page: Page): Promise<void> => {
  const summary = page.getByText('Filters', { exact: true });
  if (!(await summary.isVisible())) return;
  await summary.click();
  await page.getByRole('dialog').waitFor();
};

/** The demo campus's listings and people that visitors look at. */
export interface PublicItems {
  slug: string;
  seller: string;
  soldSlug: string;
}

export const listPublicScreens = ({ slug, seller, soldSlug }: PublicItems) =>
  ({
    'home and categories': [
      {
        name: 'home',
        path: '/',
        ownContext: true,
        further: [{ name: 'home-returning', prepare: startLaterSession }],
      },
      { name: 'browse', path: '/browse' },
      { name: 'category', path: '/category/game-day' },
      { name: 'category-generic', path: '/category/textbooks' },
      { name: 'category-wanted', path: '/category/furniture?tab=wanted', prepare: waitForWanted },
      { name: 'course', path: '/course/CSCI-270' },
      { name: 'course-empty', path: '/course/MATH-126' },
      { name: 'course-missing', path: '/course/NONE-999' },
      { name: 'category-empty', path: '/category/nothing-here' },
      { name: 'category-filters', path: '/category/merchandise', prepare: expandFilters },
      { name: 'category-filtered-empty', path: '/category/game-day?kind=parking-passes&price=100-' },
      { name: 'category-offline', path: '/category/rentals', prepare: goOffline, ownContext: true },
      { name: 'not-found', path: '/no/such/page' },
    ],
    'listings, people and search': [
      {
        name: 'listing',
        path: `/listing/${slug}`,
        further: [
          { name: 'sign-in-required', prepare: createDialogOpener('Message Seller') },
          { name: 'gallery', prepare: createDialogSwitcher('View photos full screen') },
          { name: 'report-dialog', prepare: createDialogSwitcher('Report Listing') },
        ],
      },
      { name: 'listing-sold', path: `/listing/${soldSlug}` },
      { name: 'listing-away', path: '/listing/drip-coffee-maker-with-glass-carafe-twelve-cups-dd79d9' },
      {
        name: 'listing-book',
        path: '/listing/introduction-to-algorithms-the-big-one-a066f9',
        prepare: showOtherCopies,
      },
      { name: 'listing-sold-book', path: '/listing/introduction-to-algorithms-clean-copy-ca6c70' },
      { name: 'listing-missing', path: '/listing/no-such-listing' },
      { name: 'user', path: `/users/${seller}` },
      { name: 'user-missing', path: '/users/nobody' },
      { name: 'search', path: '/search?q=desk' },
      { name: 'search-empty', path: '/search?q=unicorn' },
      { name: 'search-similar', path: '/search?q=desks' },
      { name: 'search-long-word', path: `/search?q=${'supercalifragilistic'.repeat(5)}` },
      { name: 'search-suggestions', path: '/search', prepare: showSuggestions },
    ],
    'account forms and articles': [
      { name: 'log-in', path: '/login' },
      {
        name: 'sign-up',
        path: '/signup',
        further: [
          {
            name: 'sign-up-errors',
            prepare: (page) => page.getByRole('button', { name: 'Create Account' }).click(),
          },
        ],
      },
      { name: 'forgot-password', path: '/forgot-password' },
      { name: 'reset-password', path: '/reset-password/some-token' },
      { name: 'appeal', path: '/appeal/some-token' },
      { name: 'unsubscribe', path: '/unsubscribe/no-such-link', isPlain: true },
      ...['safety', 'guidelines', 'how-it-works', 'contact', 'about', 'terms', 'privacy'].map((name) => ({
        name,
        path: `/${name}`,
      })),
      {
        name: 'careers',
        path: '/careers',
        further: [{ name: 'application', prepare: createDialogOpener(/^Apply Now/) }],
      },
    ],
  }) satisfies Record<string, Screen[]>;
