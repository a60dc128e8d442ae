import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { type OwnListing, restoreTooLateMessage } from '#contract/listings.ts';
import type { OwnProfile } from '#contract/profiles.ts';
import { createDeal } from '#contract/testing.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsQueryKey } from '#web/lib/query-keys.ts';
import { createTestApi, networkFailure, refuse } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import MyListings from './my-listings.tsx';

const recorded = getRecorded('getMyListing');
const createListing = (number: number, change: Partial<OwnListing> = {}): OwnListing => ({
  ...recorded,
  id: `00000000-0000-4000-8000-00000000000${number}`,
  title: `Walnut desk lamp no. ${number}`,
  created_at: `2026-03-0${number}T18:00:00.000Z`,
  ...change,
});

const api = createTestApi();
/** The listings on the server, newest first. */
let listings: OwnListing[];
const findListing = (id: string | undefined): OwnListing => {
  const found = listings.find((it) => it.id === id);
  if (!found) throw refuse('listing_not_found');
  return found;
};
const countByTab = () => ({
  active: listings.filter(({ status }) => status === 'published').length,
  on_hold: 0,
  sold: 0,
  rented: 0,
  drafts: listings.filter(({ status }) => status !== 'published').length,
});
let deleted: OwnListing[];
const deleteListing = ({ params }: { params: Record<string, string> }) => {
  deleted.push(findListing(params.id));
  listings = listings.filter(({ id }) => id !== params.id);
  return { success: true as const };
};
const restoreListing = ({ params }: { params: Record<string, string> }) => {
  const listing = deleted.find(({ id }) => id === params.id);
  if (!listing) throw refuse('listing_not_found', { error: restoreTooLateMessage });
  listings = [...listings, listing].sort((a, b) => b.created_at.localeCompare(a.created_at));
  return listing;
};
const setStatus = ({ params, body }: { params: Record<string, string>; body: unknown }) => {
  const changed = { ...findListing(params.id), ...(body as Pick<OwnListing, 'status'>) };
  listings = listings.map((it) => (it.id === changed.id ? changed : it));
  return changed;
};

api.answer(calls.listMyListings, () => ({ items: listings, counts: countByTab(), next_cursor: null }));
api.answer(calls.listDealsOfListing, { items: [] });
let membership: OwnProfile['membership'];
api.answer(calls.getMe, () => ({ ...getRecorded('getMe'), membership }));

beforeEach(() => {
  signIn();
  membership = null;
  listings = [3, 2, 1].map((number) => createListing(number));
  deleted = [];
});

const rows = page.getByRole('tabpanel').getByRole('listitem');
const getRow = (number: number) => rows.filter({ hasText: `no. ${number}` });
const undo = page.getByRole('button', { name: 'Undo' });
const press = (action: string, number: number) =>
  page.getByRole('button', { name: `${action} Walnut desk lamp no. ${number}` }).click();
const expectRows = async (...numbers: number[]) =>
  expect
    .poll(() =>
      rows
        .getByRole('heading')
        .elements()
        .map((it) => it.textContent),
    )
    .toEqual(numbers.map((number) => `Walnut desk lamp no. ${number}`));
const open = async (path = '/my-listings') => {
  await page.viewport(1280, 900);
  await openScreen(path, { '/my-listings': MyListings });
  await expect.element(page.getByRole('tab', { name: /^Active/ })).toBeVisible();
};

test('loads page by page, and keeps a change made while a page loads', async () => {
  const getPage = (cursor: string | undefined) => ({
    items: cursor ? listings.slice(2) : listings.slice(0, 2),
    counts: countByTab(),
    next_cursor: cursor ? null : 'second page',
  });
  api.answer(calls.setListingStatus, setStatus);
  const secondPage = Promise.withResolvers<void>();
  api.answer(calls.listMyListings, async ({ query }) => {
    if (query.cursor) await secondPage.promise;
    return getPage(query.cursor);
  });
  await open();
  await expectRows(3, 2);
  await expect.element(page.getByRole('tab', { name: /^Active/ })).toMatchTextContent('3');
  await press('Mark as Draft', 3);
  await expect.element(page.getByText('Marked as draft')).toBeVisible();
  await expect.element(page.getByRole('tab', { name: /^Active/ })).toMatchTextContent('2');
  secondPage.resolve();
  await expectRows(2, 1);
  await expect.element(page.getByRole('button', { name: /Load more|Try again/ })).not.toBeInTheDocument();
  await page.getByRole('tab', { name: /^Drafts/ }).click();
  await expectRows(3);
});

test.each([
  ['', false],
  [', even if another change fails meanwhile', true],
])(
  'an offer that arrives while a listing is being published is not forgotten%s',
  async (_, isOtherRefused) => {
    listings = [createListing(2, { status: 'draft' }), createListing(1)];
    await open('/my-listings?tab=drafts');
    const publishing = api.hold(calls.setListingStatus, setStatus);
    await press('Publish Item', 2);
    await expect.element(page.getByText('No draft listings')).toBeVisible();

    listings = [createListing(2, { open_deals: 1 }), createListing(1)];
    api.answer(calls.listDealsOfListing, ({ params }) => ({
      items: params.id === listings[0]?.id ? [createDeal()] : [],
    }));
    await queryClient.invalidateQueries({ queryKey: ownListingsQueryKey(recorded.user_id) });
    const refusal = Promise.withResolvers<void>();
    api.answer(calls.setListingStatus, async () => {
      await refusal.promise;
      throw networkFailure();
    });
    await page.getByRole('tab', { name: /^Active/ }).click();
    if (isOtherRefused) await press('Mark as Draft', 1);
    publishing.release();
    await expect.element(page.getByText(/Your listing is published|Marked as active/)).toBeVisible();
    refusal.resolve();
    if (isOtherRefused) await expect.element(page.getByText('Failed to update listing')).toBeVisible();
    await press('Mark as Draft', 2);
    await expect.element(page.getByRole('dialog', { name: 'Mark as draft?' })).toBeVisible();
    await expect.element(page.getByText(/asked for it\.$/)).toBeVisible();
  },
);

const membershipNotice = page.getByText(/^Your campus membership/);

test('a person whose membership ends reads so', async () => {
  queryClient.clear();
  membership = { due_on: null, ends_on: '2027-04-01', has_ended: false, can_confirm: true, is_asked: true };
  await open();
  await expect
    .element(membershipNotice)
    .toHaveTextContent(
      'Your campus membership ends on April 1. Then your badge goes and your listings are hidden.',
    );
  await expect
    .element(page.getByRole('link', { name: 'Confirm now' }))
    .toHaveAttribute('href', '/profile?tab=settings&page=campus-address');
});

test('a person whose membership does not end reads nothing about it', async () => {
  queryClient.clear();
  await open();
  await expect.poll(() => api.listRequests(calls.getMe).length).toBeGreaterThan(0);
  await expect.element(membershipNotice).not.toBeInTheDocument();
});

test('one Undo restores all listings that were just deleted', async () => {
  api.answer(calls.deleteListing, deleteListing);
  api.answer(calls.restoreListing, restoreListing);
  await open();
  for (const number of [1, 2, 3]) {
    await press('Delete', number);
    await expect.element(getRow(number)).not.toBeInTheDocument();
  }
  await expect.element(page.getByText('3 listings deleted').first()).toBeVisible();
  await expect.poll(() => undo.elements()).toHaveLength(1);
  await undo.click();
  await expectRows(3, 2, 1);
  await expect.element(page.getByText('Listing restored').first()).toBeVisible();
  await expect.element(page.getByText('3 listings deleted')).not.toBeInTheDocument();
});

test('a lost response does not hide that a listing was deleted or restored', async () => {
  api.answer(calls.getMyListing, ({ params }) => findListing(params.id));
  api.answer(calls.deleteListing, (request) => {
    deleteListing(request);
    throw networkFailure();
  });
  api.answer(calls.restoreListing, (request) => {
    restoreListing(request);
    throw networkFailure();
  });
  await open();
  await press('Delete', 2);
  await expect.element(page.getByText('Listing deleted').first()).toBeVisible();
  await expectRows(3, 1);
  await undo.click();
  await expect.element(page.getByText('Listing restored').first()).toBeVisible();
  await expectRows(3, 2, 1);
});

test('without any response, a listing stays and may be restored in case that it was deleted', async () => {
  const fail = () => {
    throw networkFailure();
  };
  api.answer(calls.deleteListing, fail);
  api.answer(calls.getMyListing, fail);
  api.answer(calls.restoreListing, ({ params }) => findListing(params.id));
  await open();
  await press('Delete', 2);
  await expect
    .element(page.getByText('No response. The listing may have been deleted').first())
    .toBeVisible();
  await expectRows(3, 2, 1);
  await undo.click();
  await expect.element(undo).not.toBeInTheDocument();
  await expectRows(3, 2, 1);
});

test('an Undo that could not be sent can be tried again, until the listing is deleted for good', async () => {
  api.answer(calls.deleteListing, deleteListing);
  api.answer(calls.getMyListing, ({ params }) => findListing(params.id));
  api.answer(calls.restoreListing, () => {
    throw networkFailure();
  });
  await open();
  await press('Delete', 2);
  await undo.click();
  await expect.element(page.getByText('Failed to restore listing')).toBeVisible();
  await expectRows(3, 1);
  api.answer(calls.restoreListing, restoreListing);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expectRows(3, 2, 1);

  await press('Delete', 1);
  await expectRows(3, 2);
  await expect.element(undo).toBeVisible();
  deleted = [];
  await undo.click();
  await expect.element(page.getByText(restoreTooLateMessage)).toBeVisible();
  await expectRows(3, 2);
});

test('a listing in review and one with requested changes are drafts that say so', async () => {
  listings = [
    createListing(2, { status: 'in_review' }),
    createListing(1, { status: 'draft', requested_changes: 'Is it still sealed? Please say so.' }),
  ];
  api.answer(calls.setListingStatus, ({ params }) => setStatus({ params, body: { status: 'in_review' } }));
  await open('/my-listings?tab=drafts');
  await expect.element(page.getByRole('tab', { name: /^Drafts/ })).toMatchTextContent('2');
  await expect.element(getRow(2)).toMatchTextContent('In review');
  await expect.element(getRow(2)).toMatchTextContent('We’re checking it. Only you can see it.');
  await expect
    .element(getRow(1))
    .toMatchTextContent('A moderator asked you to change it: Is it still sealed? Please say so.');
  await press('Publish Item', 1);
  await expect.element(page.getByText("We're checking your listing", { exact: true })).toBeVisible();
  await expect.element(getRow(1)).toMatchTextContent('In review');
});

describe('Post Again', () => {
  const copied = '00000000-0000-4000-8000-0000000000aa';
  const addressOfForm = `/post-ad?edit=${copied}`;
  beforeEach(() => {
    listings = [createListing(1, { status: 'sold', sold_at: recorded.created_at })];
    api.answer(calls.listMyListings, () => ({
      items: listings,
      counts: { active: 0, on_hold: 0, sold: 1, rented: 0, drafts: 0 },
      next_cursor: null,
    }));
  });

  test.each([360, 1280])(
    'opens the form with a copy of what was sold, at a width of %d px',
    async (width) => {
      const copying = api.hold(calls.copyListing, { id: copied });
      await open('/my-listings?tab=sold');
      await page.viewport(width, 740);
      if (width === 1280) await press('Post Again', 1);
      else {
        await page.getByRole('button', { name: /^More actions/ }).click();
        await page.getByRole('menuitem', { name: 'Post Again' }).click();
      }
      await expect.element(rows.getByRole('heading')).toBeVisible();
      expect(document.querySelector('[aria-busy="true"] h2')).not.toBeNull();
      copying.release();
      await expect.element(address).toMatchTextContent(addressOfForm);
    },
  );

  test('a second tap while the copy is made sends nothing', async () => {
    const copying = api.hold(calls.copyListing, { id: copied });
    await open('/my-listings?tab=sold');
    await press('Post Again', 1);
    await press('Post Again', 1);
    copying.release();
    await expect.element(address).toMatchTextContent(addressOfForm);
    expect(api.listRequests(calls.copyListing)).toHaveLength(1);
  });

  test('says why it failed, and can be repeated', async () => {
    api.answer(calls.copyListing, () => {
      throw networkFailure();
    });
    await open('/my-listings?tab=sold');
    await press('Post Again', 1);
    await expect.element(page.getByText('Failed to post again')).toBeVisible();
    api.answer(calls.copyListing, { id: copied });
    await press('Post Again', 1);
    await expect.element(address).toMatchTextContent(addressOfForm);
  });
});
