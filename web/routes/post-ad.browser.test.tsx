import { toast as sonner } from 'sonner';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { OwnListing } from '#contract/listings.ts';
import { blankListingFormValues } from '#web/listings/post/submission.ts';
import { storeUnsentListingForm } from '#web/listings/post/unsent-listing-form.ts';
import { createTestApi, networkFailure, refuse } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { createTestSession, signIn, signOut, storeSession } from '#web/testing/session.ts';
import PostAd from './post-ad.tsx';

const api = createTestApi();
const stored = { ...getRecorded('getMyListing'), photos: [], images: [] };
const storedId = stored.id;
const owner = getRecorded('getMe');
const savedForm = {
  client_id: '3f0d6f2e-54c1-4a53-8a53-0a6f4f3f1f2c',
  based_on: null,
  values: { ...blankListingFormValues, title: 'Stool with three legs' },
  photos: [],
};
api.answer(calls.getMe, owner);
api.answer(calls.listGames, getRecorded('listGames'));
api.answer(calls.getMyListing, stored);
api.answer(calls.listDealsOfListing, { items: [] });
api.mayAnswer(calls.suggestCategory, { category: null });
api.answer(calls.countPeopleToTell, { people: 0 });
api.mayAnswer(calls.countWantedMatches, { people: 0 });
api.mayAnswer(calls.findSalePrices, getRecorded('findSalePrices'));

type SentListing = Partial<OwnListing> & { clientId: string };
/** Returns the stored listing with what a form has sent, as the server does. */
const save = ({ body }: { body: unknown }) => {
  const { title = '', location = '', status = 'draft' } = body as SentListing;
  const published_at = status === 'published' ? stored.published_at : null;
  return { listing: { ...stored, slug: 'saved-listing', title, location, status, published_at } };
};
const listSent = () => api.listRequests(calls.createListing).map(({ body }) => body as SentListing);

beforeEach(signIn);

const screens = { '/post-ad': PostAd };
const getField = (name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}`) });
const getButton = (name: string) => page.getByRole('button', { name, exact: true });
const hint = page.getByRole('status').filter({ hasText: 'From the guidelines' });

const fillForm = async (title = 'Reading lamp with a long neck') => {
  await getField('Title').fill(title);
  await page.getByLabelText(/^Category/).selectOptions('kitchen');
  await page.getByRole('radio', { name: 'Good' }).click();
  await getField('Price').fill('25');
  await getField('Description').fill('A lamp that stands on the floor and bends its neck over a book.');
  await getField('Location').fill('Parkside');
  await getButton('Use my email').click();
};

/** Expects that a busy submit button ignores further clicks, and that its form ignores the Enter key. */
const expectNoResubmit = async (button: Locator, field: Locator) => {
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  await expect.element(button).toHaveAttribute('aria-busy', 'true');
  (button.element() as HTMLElement).click();
  (field.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(button).toHaveAttribute('aria-busy', 'true');
};

test('while a new listing is being posted, it cannot be posted again or saved as a draft', async () => {
  const posting = api.hold(calls.createListing, save);
  await openScreen('/post-ad', screens);
  await fillForm();
  await getButton('Post Ad').click();
  await expectNoResubmit(getButton('Post Ad'), getField('Location'));
  await expect.element(getButton('Save as Draft')).toBeDisabled();
  await expect.element(getField('Title')).toHaveValue('Reading lamp with a long neck');
  posting.release();
  await expect.element(page.getByText('Your listing is published.')).toBeVisible();
  await expect.element(address).toHaveTextContent('/listing/saved-listing');
  expect(listSent()).toHaveLength(1);
});

test('posting again after a lost response sends the same client id, so that one listing is created', async () => {
  api.answer(calls.createListing, () => {
    throw networkFailure();
  });
  await openScreen('/post-ad', screens);
  await fillForm();
  await getButton('Post Ad').click();
  await expect.element(page.getByRole('main').getByRole('alert')).toBeVisible();
  api.answer(calls.createListing, save);
  await getField('Title').fill('Reading lamp with a longer neck');
  await getButton('Post Ad').click();
  await expect.element(page.getByText('Your listing is published.')).toBeVisible();
  const [first, second] = listSent();
  expect(second).toMatchObject({ clientId: first?.clientId, title: 'Reading lamp with a longer neck' });
});

test('Post Ad can always be pressed, and says what is missing', async () => {
  await openScreen('/post-ad', screens);
  await expect.element(getButton('Post Ad')).toBeEnabled();
  await getButton('Post Ad').click();
  await expect.element(page.getByText('Validation failed')).toBeVisible();
  await expect.element(page.getByText('Please select a condition')).toBeVisible();
  await expect.element(getField('Title')).toHaveFocus();
  expect(listSent()).toEqual([]);
});

test('passing over the conditions without a choice leaves them empty', async () => {
  await openScreen('/post-ad', screens);
  await getField('Title').fill('Reading lamp with a long neck');
  const good = page.getByRole('radio', { name: 'Good' });
  (good.element() as HTMLElement).focus();
  await getField('Location').fill('Parkside');
  await expect
    .element(page.getByRole('link', { name: 'Condition' }).or(getButton('Condition')))
    .toBeVisible();
  await expect.element(getField('Title')).toHaveValue('Reading lamp with a long neck');
});

test('a published listing offers to post another one, which keeps location, category, contact and how it is sold', async () => {
  api.answer(calls.createListing, save);
  await openScreen('/post-ad', screens);
  await fillForm();
  await page.getByText('How you want to sell').click();
  await page.getByLabelText('Reserved for').selectOptions('24');
  await getButton('Post Ad').click();
  await expect.element(page.getByRole('heading', { name: 'Listed' })).toHaveFocus();
  await getButton('Post another').click();
  await expect.element(getField('Title')).toHaveValue('');
  await expect.element(getField('Location')).toHaveValue('Parkside');
  await expect.element(page.getByLabelText(/^Category/)).toHaveValue('kitchen');
  await expect.element(getField('Contact email')).toHaveValue(owner.email);
  await expect.element(getField('Price')).toHaveValue('');
  // Nothing was typed yet, so nothing is unfinished.
  await expect.element(page.getByText('Saved on this device')).not.toBeInTheDocument();
  await getField('Title').fill('Another lamp with a short neck');
  await page.getByRole('radio', { name: 'Fair' }).click();
  await getField('Price').fill('8');
  await getField('Description').fill('A lamp that stands on the floor and does not bend its neck.');
  await getButton('Post Ad').click();
  await expect.element(page.getByRole('heading', { name: 'Listed' })).toBeVisible();
  const [first, second] = listSent();
  expect(second).toMatchObject({ location: 'Parkside', category: 'kitchen', holdHours: 24 });
  expect(second?.clientId).not.toBe(first?.clientId);
});

test('the form of another listing keeps nothing of an account that has logged out', async () => {
  api.answer(calls.createListing, save);
  await openScreen('/post-ad', screens);
  await fillForm();
  await getButton('Post Ad').click();
  await getButton('Post another').click();
  await expect.element(getField('Contact email')).toHaveValue(owner.email);
  const session = createTestSession();
  const another = { ...session.user, id: 'b7c0f1a2-0000-4000-8000-000000000001' };
  storeSession({ ...session, access_token: 'another-access-token', user: another });
  await expect.element(getField('Contact email')).toHaveValue('');
  await expect.element(getField('Location')).toHaveValue('');
});

test('a suggested category is chosen with one tap, and never replaces one that was chosen', async () => {
  api.answer(calls.suggestCategory, { category: 'furniture' as const });
  await openScreen('/post-ad', screens);
  await getField('Title').fill('Brass lamp');
  await getButton('Suggested: Furniture').click();
  await expect.element(page.getByLabelText(/^Category/)).toHaveValue('furniture');
  await page.getByLabelText(/^Category/).selectOptions('kitchen');
  await getField('Title').fill('Brass lamp with a shade');
  await expect.element(page.getByLabelText(/^Category/)).toHaveValue('kitchen');
  await expect.element(getButton('Suggested: Furniture')).not.toBeInTheDocument();
});

test('leaving the form before the new listing opens prevents the redirect to the listing', async () => {
  api.answer(calls.createListing, save);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await openScreen('/post-ad', screens);
  await fillForm();
  await getButton('Post Ad').click();
  await expect.element(page.getByText('Your listing is published.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'My Listings' }).click();
  await expect.element(page.getByRole('heading', { name: 'Another screen' })).toBeVisible();
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  await expect.element(address).toHaveTextContent('/my-listings');
});

test('text typed while a draft is being saved stays, counts as unsaved, and is saved into the same draft', async () => {
  const saving = api.hold(calls.createListing, save);
  const screen = await openScreen('/post-ad', screens);
  await getField('Title').fill('Shelf of five boards');
  await getButton('Save as Draft').click();
  await expectNoResubmit(getButton('Save as Draft'), getField('Title'));
  await expect.element(getButton('Post Ad')).toBeDisabled();
  await getField('Location').fill('Webb Tower');
  saving.release();
  await expect.element(page.getByText('Draft saved')).toBeVisible();
  await expect.element(address).toHaveTextContent(`/post-ad?edit=${storedId}`);
  await expect.element(getField('Location')).toHaveValue('Webb Tower');
  await expect.element(page.getByText('Saved on this device')).toBeInTheDocument();
  await screen.unmount();

  api.answer(calls.getMyListing, { ...stored, title: 'Shelf of five boards', location: '', status: 'draft' });
  await openScreen(`/post-ad?edit=${storedId}`, screens);
  await expect.element(page.getByText('Continue your unsaved changes?')).toBeVisible();
  await getButton('Continue').click();
  await expect.element(getField('Location')).toHaveValue('Webb Tower');
  await getButton('Save as Draft').click();
  await expect.poll(() => listSent().at(-1)).toMatchObject({ id: storedId, location: 'Webb Tower' });
  await expect.element(page.getByText('Saved on this device')).not.toBeInTheDocument();
});

test('typing while an update is being saved keeps the form open for another update', async () => {
  const updating = api.hold(calls.createListing, save);
  await openScreen(`/post-ad?edit=${storedId}`, screens);
  await getField('Location').fill('Cardinal Gardens');
  await getButton('Update Listing').click();
  await expectNoResubmit(getButton('Update Listing'), getField('Location'));
  await getField('Title').fill('Desk with a drawer that locks well');
  updating.release();
  await expect.element(page.getByText('Listing updated')).toBeVisible();
  await expect.element(getField('Title')).toHaveValue('Desk with a drawer that locks well');
  await expect.element(getButton('Update Listing')).toBeEnabled();
  await getButton('Update Listing').click();
  await expect.element(address).toHaveTextContent('/listing/saved-listing');
  expect(listSent().map(({ title }) => title)).toEqual([stored.title, 'Desk with a drawer that locks well']);
});

test('shows the guideline that the wording may violate, until the wording is changed', async () => {
  await openScreen('/post-ad', screens);
  await getField('Title').fill('A bottle of vodka from my party');
  await expect
    .element(hint)
    .toMatchTextContent('Alcohol, tobacco, vapes and controlled substances can’t be offered here.');
  await getField('Title').fill('A bottle opener from my party');
  await expect.element(hint).not.toBeInTheDocument();
  await page.getByLabelText(/^Category/).selectOptions('game-day');
  await getField('Title').fill('Two tickets for the home opener');
  await expect.element(hint).toMatchTextContent('Asking more than the face value may violate the policies');
});

test('shows beside the title why the server refuses the wording', async () => {
  const message = 'Alcohol can’t be offered here. Please change the wording.';
  api.answer(calls.createListing, () => {
    throw refuse('validation_failed', { fields: { title: message } });
  });
  await openScreen('/post-ad', screens);
  await fillForm();
  await getButton('Post Ad').click();
  await expect.element(page.getByText(message)).toBeVisible();
  await expect.element(page.getByText('Validation failed')).toBeVisible();
  await expect.element(address).toHaveTextContent('/post-ad');
});

test('a listing that is held for review is found under Drafts', async () => {
  api.answer(calls.createListing, (request) => ({
    listing: { ...save(request).listing, status: 'in_review' as const },
  }));
  await openScreen('/post-ad', screens);
  await fillForm();
  await getButton('Post Ad').click();
  await expect.element(page.getByText("We're checking your listing", { exact: true })).toBeVisible();
  await expect
    .element(page.getByText('Only you can see it until we’re done.', { exact: true }))
    .toBeVisible();
  await expect.element(address).toHaveTextContent('/my-listings?tab=drafts');
});

test('discarding an unfinished form can be undone, unless something new has been typed since', async () => {
  storeUnsentListingForm({ ownerId: owner.id, listingId: undefined }, savedForm);
  await openScreen('/post-ad', screens);
  await getButton('Start new').click();
  await getButton('Undo').click();
  await expect.element(page.getByText(/^“Stool with three legs” · saved 1 min ago$/)).toBeVisible();
  await getButton('Start new').click();
  await expect.element(getField('Title')).toHaveValue('');
  await expect.element(getField('Contact email')).toHaveValue('');
  await getField('Title').fill('A newer lamp');
  await getButton('Undo').click();
  await expect.element(page.getByText('You have typed something new since you discarded it.')).toBeVisible();
  await expect.element(getField('Title')).toHaveValue('A newer lamp');
  await getField('Title').fill('');
  await expect
    .poll(() => Object.keys(localStorage).filter((key) => key.startsWith('quad.saved.')))
    .toEqual([]);
});

test('unsaved changes to a listing are offered again, with a note if the listing has changed since', async () => {
  const key = { ownerId: owner.id, listingId: storedId };
  const values = { ...savedForm.values, location: 'Cardinal Gardens' };
  storeUnsentListingForm(key, { ...savedForm, based_on: 'an earlier version', values });
  await openScreen(`/post-ad?edit=${storedId}`, screens);
  await expect.element(page.getByRole('heading', { name: 'Continue your unsaved changes?' })).toBeVisible();
  await expect.element(page.getByText('This listing was changed since then')).toBeVisible();
  await getButton('Continue').click();
  await expect.element(getField('Location')).toHaveValue('Cardinal Gardens');
});

test('the form of somebody else’s listing says that it is not one of your listings', async () => {
  api.answer(calls.getMyListing, () => {
    throw refuse('listing_not_found');
  });
  await openScreen(`/post-ad?edit=${storedId}`, screens);
  await expect.element(page.getByText('This isn’t one of your listings')).toBeVisible();
  await expect.element(getButton('Try again')).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'Back to My Listings' }).click();
  await expect.element(address).toHaveTextContent('/my-listings');
});

test('a session that ends while a listing is changed is reported once', async () => {
  api.answer(calls.getMyListing, { ...stored, status: 'published' });
  await openScreen(`/post-ad?edit=${storedId}`, screens);
  await getField('Title').fill('Reading lamp with a long neck');
  api.answer(calls.setListingStatus, () => {
    signOut();
    throw refuse('not_authenticated');
  });
  await page.getByRole('button', { name: /^More/ }).first().click();
  await page.getByRole('menuitem', { name: 'Unpublish' }).click();
  await expect.element(page.getByText('You were logged out')).toBeVisible();
  await expect.element(page.getByText('Failed to update listing')).not.toBeInTheDocument();
});

test('leaving the form on a phone says where it is saved, also if the device has no room', async () => {
  await page.viewport(360, 740);
  const screen = await openScreen('/post-ad', screens);
  await getField('Title').fill('Reading lamp with a long neck');
  await getButton('Close').click();
  const saved = page.getByText('Saved on this device');
  await expect.element(saved).toBeVisible();
  sonner.dismiss();
  await expect.element(saved).not.toBeInTheDocument();
  await screen.unmount();
  await openScreen('/post-ad', screens);
  await getButton('Continue').click();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError');
  });
  await getField('Title').fill('Reading lamp with a longer neck');
  await getButton('Close').click();
  await expect.element(page.getByText('Not saved on this device')).toBeVisible();
  await expect.element(page.getByText('Saved on this device', { exact: true })).not.toBeInTheDocument();
  vi.restoreAllMocks();
  await page.viewport(1280, 800);
});
