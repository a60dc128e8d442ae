import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { maxWantedDays, type OwnWantedPost } from '#contract/wanted.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { createTestApi, networkFailure, refuse } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { OwnWantedPosts } from './own-wanted-posts.tsx';
import { WantedFormScreen } from './wanted-form.tsx';

const api = createTestApi();
const [recorded] = getRecorded('listMyWantedPosts').items;
if (!recorded) throw new Error('No wanted post is recorded');
const today = toCampusDay(defaultCampus, new Date());
const last = addDays(today, maxWantedDays);
const stored: OwnWantedPost = { ...recorded, until: today, max_price: 60, state: 'open' };

const field = (name: string) => page.getByLabelText(name, { exact: false });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const open = (postId?: string) =>
  openScreen('/post-ad', { '/post-ad': () => <WantedFormScreen ownId="me" postId={postId} /> });
const openOwn = () => openScreen('/my-listings', { '/my-listings': () => <OwnWantedPosts ownId="me" /> });
beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

test('names what is missing at its field, and takes the focus to the first one', async () => {
  await open();
  await button('Post').click();
  const title = field('What are you looking for?');
  await expect.element(title).toHaveAccessibleDescription(/Title must be at least 3 characters/);
  await expect.element(title).toHaveFocus();
  await expect.element(field('Category')).toHaveAttribute('aria-invalid', 'true');
  await expect.element(field('Until')).toHaveValue(last);
});

test('is filled in and sent by keys, once more after a failure, with the same id', async () => {
  api.answer(calls.createWantedPost, () => {
    throw refuse('unavailable');
  });
  await open();
  await field('What are you looking for?').fill('Green kayak');
  await field('Category').selectOptions('furniture');
  await field('Highest price').fill('90');
  (field('Highest price').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toBeVisible();
  api.answer(calls.createWantedPost, stored);
  await expect.element(button('Post')).toBeEnabled();
  await button('Post').click();
  await expect.element(address).toHaveTextContent('/my-listings?tab=wanted');
  const [sent, again] = api.listRequests(calls.createWantedPost);
  expect(sent?.body).toMatchObject({
    title: 'Green kayak',
    category: 'furniture',
    maxPrice: 90,
    until: last,
  });
  expect(again).toEqual(sent);
});

test('shows what the server refuses at its field', async () => {
  api.answer(calls.createWantedPost, () => {
    throw refuse('validation_failed', { fields: { title: 'Title must be at least 3 characters' } });
  });
  await open();
  await field('What are you looking for?').fill('Kayak');
  await field('Category').selectOptions('furniture');
  await button('Post').click();
  await expect
    .element(field('What are you looking for?'))
    .toHaveAccessibleDescription(/Title must be at least 3 characters/);
});

test('cannot be sent without a connection, and keeps what was typed', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await open();
  await field('What are you looking for?').fill('Green kayak');
  await expect.element(button('You’re offline')).toBeDisabled();
  await expect.element(field('What are you looking for?')).toHaveValue('Green kayak');
});

test('a post is loaded, after a failure when asked to, and changed', async () => {
  const failures = [networkFailure()];
  const loading = api.hold(calls.listMyWantedPosts, () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return { items: [stored] };
  });
  api.answer(calls.changeWantedPost, stored);
  await open(stored.id);
  await expect.element(page.getByText('Loading your post')).toBeInTheDocument();
  loading.release();
  await expect.element(page.getByText('Failed to load your post')).toBeVisible();
  await button('Try again').click();
  await expect.element(field('What are you looking for?')).toHaveValue(stored.title);
  await field('Highest price').fill('');
  await button('Update').click();
  await expect.element(address).toHaveTextContent('/my-listings?tab=wanted');
  expect(api.listRequests(calls.changeWantedPost)[0]).toMatchObject({
    params: { id: stored.id },
    body: { title: stored.title, maxPrice: null, until: today },
  });
});

test('a post of somebody else leads back to My Listings', async () => {
  api.answer(calls.listMyWantedPosts, { items: [] });
  await open(stored.id);
  await expect.element(page.getByText('This isn’t one of your posts')).toBeVisible();
  await page.getByRole('link', { name: 'Back to My Listings' }).click();
  await expect.element(address).toHaveTextContent('/my-listings?tab=wanted');
});

test('the own posts load, fail, are empty, and are closed by a key without losing the focus', async () => {
  let items: OwnWantedPost[] = [];
  const failures = [refuse('internal')];
  const loading = api.hold(calls.listMyWantedPosts, () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return { items };
  });
  api.answer(calls.closeWantedPost, () => {
    const ended = { ...stored, state: 'ended' as const };
    items = [ended];
    return ended;
  });
  await openOwn();
  await expect.element(page.getByText('Loading what you’re looking for')).toBeInTheDocument();
  loading.release();
  await expect.element(page.getByText('Failed to load what you’re looking for')).toBeVisible();
  await button('Try again').click();
  await expect.element(page.getByText('You’re not looking for anything')).toBeVisible();
  items = [stored];
  await queryClient.invalidateQueries();
  const close = button('Close');
  await expect.element(close).toBeVisible();
  (close.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Ended')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Renew' })).toBeVisible();
  expect(document.activeElement?.textContent).toContain(stored.title);
});
