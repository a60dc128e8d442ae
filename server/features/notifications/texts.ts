import { formatReturnDay } from '#contract/away.ts';
import type { Campus } from '#contract/campus.ts';
import type { Category } from '#contract/categories.ts';
import { formatCampusTime } from '#contract/deal-event-lines.ts';
import { deletedUserName } from '#contract/deleted-user.ts';
import { formatPrice } from '#contract/prices.ts';
import { getSavedSearchPath } from '#contract/saved-searches.ts';
import { getSettingsPath } from '#contract/settings-pages.ts';
import { normalizeCharacters, normalizeLine } from '#contract/text.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import type { NotificationEventName, NotificationFacts } from './events.ts';
import type { NotificationRow } from './repository.ts';

/** The text of a notification, and the path of the page that it links to. */
export interface NotificationText {
  title: string;
  text: string;
  path: string;
}

type Row<Name extends NotificationEventName> = Omit<NotificationRow, 'facts'> & {
  facts: NotificationFacts<Name>;
  userId: string;
};

const securityPath = getSettingsPath('security');
const campusAddressPath = getSettingsPath('campus-address');
const getListingPath = ({ slug }: Pick<NotificationRow, 'slug'>): string =>
  slug === null ? '/saved' : `/listing/${slug}`;
const quote = (text: string): string => `“${isolateDirection(normalizeLine(text))}”`;
const quoteReason = (text: string): string => isolateDirection(normalizeCharacters(text));
const nameOther = ({ other_name: name }: Pick<NotificationRow, 'other_name'>): string =>
  isolateDirection(normalizeLine(name ?? deletedUserName));
const quoteTitle = ({ title }: Pick<NotificationRow, 'title'>): string =>
  title === null ? 'A listing you saved' : quote(title);

const soldVerbs: Partial<Record<Category, string>> = { free: 'was given away', rentals: 'was rented' };

const maxNamedListings = 3;

const renderMatches = ({
  count,
  search_name: name,
  search_query: query,
  matched_titles: titles,
}: Pick<NotificationRow, 'count' | 'search_name' | 'search_query' | 'matched_titles'>): NotificationText => {
  const shown = (titles ?? []).slice(0, Math.min(count, maxNamedListings));
  const others = count - shown.length;
  const matches = `${count} new ${count === 1 ? 'match' : 'matches'}`;
  return {
    title: name === null ? `${matches} for a search that you deleted` : `${matches} for ${quote(name)}`,
    text:
      shown.length === 0
        ? 'See what is new.'
        : `${shown.map(quote).join(', ')}${others > 0 ? ` and ${others} more` : ''}`,
    path: query === null ? '/saved?tab=searches' : getSavedSearchPath(query),
  };
};

const nameListings = (titles: readonly string[]): string => {
  const shown = titles.slice(0, maxNamedListings).map(quote);
  const others = titles.length - shown.length;
  return `${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
};

const renderLogIn = (
  { at, device_name: device, needs_second_factor: needsMore }: NotificationFacts<'new_device'>,
  campus: Campus,
): string => {
  const how = device === undefined ? '' : ` with ${device}`;
  const what = needsMore
    ? `Somebody entered your password or an emailed code${how}`
    : `Somebody logged in to your account${how}`;
  const more = needsMore ? ' The log-in needs your second factor, too.' : '';
  return `${what} on ${formatCampusTime(at, campus)}.${more} If it was not you, change your password and check your sessions in Settings.`;
};

/**
 * For each action of a moderator, a function that returns the title of the notification about the decision.
 * Its argument is the quoted title of the listing, or null when the decision is about the person.
 */
const decisionTitles: Record<
  NotificationFacts<'decision_made'>['action'],
  (listing: string | null) => string
> = {
  warn: (listing) =>
    listing === null ? 'A moderator warned you' : `A moderator warned you about ${listing}`,
  unpublish: (listing) => `${listing ?? 'Your listing'} was taken down`,
  request_changes: (listing) => `${listing ?? 'Your listing'} needs changes`,
  restore: (listing) =>
    listing === null ? 'A decision about you was reversed' : `The decision about ${listing} was reversed`,
};

const restoredStates = {
  draft: ' The listing is a draft. You can publish it in My Listings.',
  in_review: ' We check the listing before it is published again.',
  taken_down: ' The listing stays taken down because of another decision.',
};

const renderReason = ({
  reason,
  listing_state: state,
}: Pick<NotificationFacts<'appeal_decided'>, 'reason' | 'listing_state'>): string =>
  `Reason: ${quoteReason(reason)}${state ? restoredStates[state] : ''}`;

export const renderDecision = (
  facts: NotificationFacts<'decision_made'>,
): Omit<NotificationText, 'path'> => ({
  title: decisionTitles[facts.action](facts.title === null ? null : quote(facts.title)),
  text: renderReason(facts),
});

const reportOutcomes: Record<NotificationFacts<'report_handled'>['outcome'], (what: string) => string> = {
  acted: (what) => `We looked at ${what} and took action.`,
  nothing: (what) => `We looked at ${what} and found that it follows our guidelines.`,
  gone: (what) => `We looked at ${what}. It no longer exists, so there was nothing left to decide.`,
  restored: (what) => `We looked at ${what} again and reversed our decision.`,
};

const renderers: {
  [Name in NotificationEventName]: (row: Row<Name>, campus: Campus) => NotificationText;
} = {
  availability_asked: ({ questions }) => ({
    title: 'Still for sale?',
    text: questions
      ? nameListings(questions.map(({ title }) => title))
      : 'You have deleted what this was about.',
    path: '/my-listings',
  }),
  review_published: (row) => ({
    title: `${nameOther(row)} reviewed you`,
    text:
      row.title === null
        ? 'The review is on your profile.'
        : `The review of ${quote(row.title)} is on your profile.`,
    path: `/users/${row.userId}`,
  }),
  price_dropped: (row, campus) => ({
    title: `${quoteTitle(row)} dropped in price`,
    text: `${formatPrice(campus, row.facts.price)} instead of ${formatPrice(campus, row.facts.lowest_before)}.`,
    path: getListingPath(row),
  }),
  available_again: (row) => ({
    title: `${quoteTitle(row)} became available again`,
    text: 'The hold on it ended.',
    path: getListingPath(row),
  }),
  listing_sold: (row) => ({
    title: `${quoteTitle(row)} ${soldVerbs[row.category as Category] ?? 'was sold'}`,
    text: 'You saved it.',
    path: getListingPath(row),
  }),
  search_matched: renderMatches,
  search_digest: renderMatches,
  wanted_found: ({ facts, matched_titles: titles }) => ({
    title: 'Somebody has what you’re looking for',
    text: titles ? nameListings(titles) : 'It is no longer available.',
    path: titles ? `/listing/${facts.slug}` : '/my-listings?tab=wanted',
  }),
  listing_taken_down: (row) => ({
    title: row.title === null ? 'Your listing was taken down' : `${quote(row.title)} was taken down`,
    text:
      row.hidden_reason === null
        ? 'It has been restored since.'
        : `Reason: ${quoteReason(row.hidden_reason)}`,
    path: '/my-listings',
  }),
  listing_restored: (row) => ({
    title: row.title === null ? 'Your listing was restored' : `${quote(row.title)} was restored`,
    text: 'It can be published again.',
    path: '/my-listings',
  }),
  review_removed: (row) => ({
    title: `Your review of ${nameOther(row)} was removed`,
    text: `${row.title === null ? '' : `It was about ${quote(row.title)}. `}A moderator removed it because it does not follow our community guidelines.`,
    path: '/guidelines',
  }),
  review_restored: (row) => ({
    title: `Your review of ${nameOther(row)} was restored`,
    text: 'It is shown again, and counts for the rating.',
    path: '/profile?tab=history',
  }),
  listing_approved: (row) => ({
    title: row.title === null ? 'Your listing was checked' : `${quote(row.title)} was checked`,
    text: 'A moderator approved it.',
    path: '/my-listings',
  }),
  listing_changes_requested: (row) => ({
    title: row.title === null ? 'Please change your listing' : `Please change ${quote(row.title)}`,
    text:
      row.requested_changes === null
        ? 'You have changed it since.'
        : `A moderator wrote: ${quoteReason(row.requested_changes)}`,
    path: '/my-listings',
  }),
  decision_made: ({ facts }) => ({ ...renderDecision(facts), path: '/decisions' }),
  appeal_decided: ({ facts }) => ({
    title: facts.is_granted ? 'Your appeal was successful' : 'Your appeal was rejected',
    text: renderReason(facts),
    path: '/decisions',
  }),
  report_handled: ({ facts: { outcome, subject, title } }) => {
    const what =
      subject === 'listing' || subject === 'wanted'
        ? quote(title)
        : `what you reported about ${isolateDirection(normalizeLine(title))}`;
    // A newer version may store outcomes and events that this one does not know, and must not break the list.
    const describe = reportOutcomes[outcome] ?? (() => `We looked at ${what}.`);
    return { title: 'Thanks for your report', text: describe(what), path: '/guidelines' };
  },
  new_device: (row, campus) => ({
    title: 'Log-in on a new device',
    text: renderLogIn(row.facts, campus),
    path: securityPath,
  }),
  badge_granted: () => ({
    title: 'You have the verified badge',
    text: 'An administrator verified your account.',
    path: campusAddressPath,
  }),
  badge_removed: (_row, campus) => ({
    title: 'The verified badge was removed from your account',
    text: `An administrator removed it. Write to ${campus.supportEmail} if you think this is wrong.`,
    path: campusAddressPath,
  }),
  sessions_ended: (row, campus) => ({
    title: 'You were logged out everywhere',
    text: `An administrator ended all sessions of your account on ${formatCampusTime(row.facts.at, campus)}.`,
    path: securityPath,
  }),
  account_confirmed: () => ({
    title: 'Your email address is confirmed',
    text: 'An administrator confirmed it. Log in with "Email me a code", then set a password in Settings.',
    path: securityPath,
  }),
  role_changed: (row, campus) => ({
    title:
      row.facts.role === 'user'
        ? `You no longer have a role in the console of ${campus.siteName}`
        : `You are ${row.facts.role === 'moderator' ? 'a moderator' : 'an administrator'} now`,
    text:
      row.facts.role === 'user'
        ? 'An administrator took it away.'
        : 'An administrator gave you the role. The console opens once you log in with two-step verification.',
    path: row.facts.role === 'user' ? '/profile' : '/moderation',
  }),
  second_factor_added: (row, campus) => ({
    title: 'Two-step verification is on',
    text: `It was set up on ${formatCampusTime(row.facts.at, campus)}. If it was not you, write to ${campus.supportEmail}.`,
    path: securityPath,
  }),
  second_factor_removed: (row, campus) => ({
    title: 'Two-step verification is off',
    text: row.facts.by_administrator
      ? `An administrator turned it off on ${formatCampusTime(row.facts.at, campus)}. You can set it up again in Settings.`
      : `It was turned off on ${formatCampusTime(row.facts.at, campus)}. If it was not you, change your password.`,
    path: securityPath,
  }),
  sign_on_connected: (row, campus) => ({
    title: `You can log in with ${campus.signOn?.name ?? 'your university'}`,
    text: `It was connected to your account on ${formatCampusTime(row.facts.at, campus)}. If it was not you, write to ${campus.supportEmail}.`,
    path: securityPath,
  }),
  sign_on_disconnected: (row, campus) => ({
    title: `${campus.signOn?.name ?? 'Your university'} is disconnected`,
    text: `It was disconnected from your account on ${formatCampusTime(row.facts.at, campus)}. If it was not you, write to ${campus.supportEmail}.`,
    path: securityPath,
  }),
  membership_asked: (row, campus) => ({
    title: `Are you still at ${campus.shortName}?`,
    text: `Please confirm it by ${formatReturnDay(row.facts.day, campus)}: tap the button in the email that we sent you, or here.`,
    path: campusAddressPath,
  }),
  membership_ending: (row, campus) => ({
    title: `Your campus membership ends on ${formatReturnDay(row.facts.day, campus)}`,
    text: row.facts.is_denied
      ? `${campus.signOn?.name ?? 'Your university'} no longer states that you are a member. Then your badge goes and your listings are hidden.`
      : 'Then your badge goes and your listings are hidden. Confirm that you are still a member to keep them.',
    path: campusAddressPath,
  }),
  membership_ended: () => ({
    title: 'Your campus membership has ended',
    text: 'Your badge is gone and your listings are hidden. Everything returns when you are a member again.',
    path: campusAddressPath,
  }),
  passkey_added: (row, campus) => ({
    title: 'You can log in with a passkey',
    text: `${isolateDirection(normalizeLine(row.facts.name))} was added to your account on ${formatCampusTime(row.facts.at, campus)}. If it was not you, remove it and change your password.`,
    path: securityPath,
  }),
  passkey_removed: ({ facts: { at, name, by_administrator: byAdministrator } }, campus) => ({
    title: name === null ? 'Your passkeys were removed' : 'A passkey was removed',
    text: byAdministrator
      ? `An administrator removed them on ${formatCampusTime(at, campus)}. You can add new ones in Settings.`
      : `${name === null ? 'They were' : `${isolateDirection(normalizeLine(name))} was`} removed from your account on ${formatCampusTime(at, campus)}. If it was not you, change your password.`,
    path: securityPath,
  }),
  recovery_code_used: (row, campus) => ({
    title: 'Log-in with a recovery code',
    text: `Somebody used one on ${formatCampusTime(row.facts.at, campus)}; ${row.facts.remaining} are left. If it was not you, change your password.`,
    path: securityPath,
  }),
  recovery_codes_replaced: (row, campus) => ({
    title: 'You have new recovery codes',
    text: `They were created on ${formatCampusTime(row.facts.at, campus)}, and the earlier ones stopped working. If it was not you, change your password.`,
    path: securityPath,
  }),
  password_changed: (row, campus) => ({
    title: 'Your password was changed',
    text: `This was on ${formatCampusTime(row.facts.at, campus)}. If it was not you, ${
      row.facts.has_reset_links === false
        ? 'log in with "Email me a code" and set a new one in Settings.'
        : 'reset it now.'
    }`,
    path: row.facts.has_reset_links === false ? securityPath : '/forgot-password',
  }),
};

const renderUnknown = (_row: NotificationRow, campus: Campus): NotificationText => ({
  title: `Something new on ${campus.siteName}`,
  text: 'Reload the page to see it.',
  path: '/notifications',
});

/** Returns the current text and link of a person's notification. */
export const renderNotification = (
  row: NotificationRow,
  userId: string,
  campus: Campus,
): NotificationText => {
  const render = (renderers[row.event] ?? renderUnknown) as (
    row: NotificationRow & { userId: string },
    campus: Campus,
  ) => NotificationText;
  return render({ ...row, userId }, campus);
};
