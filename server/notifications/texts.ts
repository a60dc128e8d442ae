import type { Campus } from '#contract/campus.ts';
import type { Category } from '#contract/categories.ts';
import { formatCampusTime } from '#contract/deal-lines.ts';
import { deletedUserName } from '#contract/deleted-user.ts';
import { formatPrice } from '#contract/prices.ts';
import type { NotificationEventName, NotificationFacts } from './events.ts';
import type { NotificationRow } from './repository.ts';

/** What a notification says, and the path of the page that it leads to. */
export interface NotificationText {
  title: string;
  text: string;
  path: string;
}

type Row<Name extends NotificationEventName> = Omit<NotificationRow, 'facts'> & {
  facts: NotificationFacts<Name>;
  userId: string;
};

const accountPath = '/profile?tab=settings';
const getListingPath = ({ slug }: Pick<NotificationRow, 'slug'>): string =>
  slug === null ? '/saved' : `/listing/${slug}`;
const quoteTitle = ({ title }: Pick<NotificationRow, 'title'>): string =>
  title === null ? 'A listing you saved' : `“${title}”`;

const soldVerbs: Partial<Record<Category, string>> = { free: 'was given away', rentals: 'was rented' };

const renderers: {
  [Name in NotificationEventName]: (row: Row<Name>, campus: Campus) => NotificationText;
} = {
  review_published: (row) => ({
    title: `${row.other_name ?? deletedUserName} reviewed you`,
    text:
      row.title === null
        ? 'The review is on your profile.'
        : `The review of “${row.title}” is on your profile.`,
    path: `/users/${row.userId}`,
  }),
  price_dropped: (row) => ({
    title: `${quoteTitle(row)} costs less`,
    text: `Now ${formatPrice(row.facts.price)}, ${formatPrice(row.facts.lowest_before)} before.`,
    path: getListingPath(row),
  }),
  available_again: (row) => ({
    title: `${quoteTitle(row)} is available again`,
    text: 'It is no longer on hold.',
    path: getListingPath(row),
  }),
  listing_sold: (row) => ({
    title: `${quoteTitle(row)} ${soldVerbs[row.category as Category] ?? 'was sold'}`,
    text: 'You saved it.',
    path: getListingPath(row),
  }),
  listing_taken_down: (row) => ({
    title: 'Your listing was taken down',
    text: row.title === null ? row.facts.reason : `“${row.title}”: ${row.facts.reason}`,
    path: '/my-listings',
  }),
  listing_restored: (row) => ({
    title: 'Your listing was restored',
    text: row.title === null ? 'It can be published again.' : `“${row.title}” can be published again.`,
    path: '/my-listings',
  }),
  new_device: (row, campus) => ({
    title: 'Log-in on a new device',
    text: `Somebody logged in to your account on ${formatCampusTime(row.facts.at, campus)}. If it was not you, change your password.`,
    path: accountPath,
  }),
  password_changed: (row, campus) => ({
    title: 'Your password was changed',
    text: `This was on ${formatCampusTime(row.facts.at, campus)}. If it was not you, reset it now.`,
    path: '/forgot-password',
  }),
};

/** Returns what a person's notification says now. */
export const renderNotification = (row: NotificationRow, userId: string, campus: Campus): NotificationText =>
  (
    renderers[row.event] as (
      row: Omit<NotificationRow, never> & { userId: string },
      campus: Campus,
    ) => NotificationText
  )({ ...row, userId }, campus);
