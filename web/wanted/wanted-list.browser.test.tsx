import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { createTestApi, networkFailure, refuse } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { signIn, signOut } from '#web/testing/session.ts';
import { WantedList } from './wanted-list.tsx';

const api = createTestApi();
const { items } = getRecorded('listWantedPosts');
const { id: ownId } = getRecorded('getMe');
const [post] = items.filter(({ user }) => user.id !== ownId);
if (!post) throw new Error('No wanted post is recorded');
const only = { items: [post], next_cursor: null };

const open = () =>
  openScreen('/category/furniture?tab=wanted', {
    '/category/:category': () => <WantedList category="furniture" q="desk" />,
  });
const answer = page.getByRole('button', { name: /^I have this/ });
beforeEach(signOut);
afterEach(() => vi.restoreAllMocks());

test('says that it loads, that this failed, and then shows what people look for', async () => {
  const failures = [refuse('internal'), networkFailure()];
  const loading = api.hold(calls.listWantedPosts, () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return only;
  });
  await open();
  await expect
    .element(page.getByRole('status').filter({ hasText: 'Loading what people are looking for' }))
    .toBeInTheDocument();
  loading.release();
  for (const count of [1, 2]) {
    await expect.poll(() => api.listRequests(calls.listWantedPosts)).toHaveLength(count);
    await expect.element(page.getByText('Failed to load what people are looking for')).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
  }
  await expect.element(page.getByRole('heading', { name: post.title })).toBeVisible();
  expect(api.listRequests(calls.listWantedPosts)[0]?.query).toEqual({ category: 'furniture', q: 'desk' });
});

test('loads what failed offline as soon as the device is online again', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  api.answer(calls.listWantedPosts, () => {
    throw networkFailure();
  });
  await open();
  await expect.poll(() => api.listRequests(calls.listWantedPosts)).toHaveLength(1);
  api.answer(calls.listWantedPosts, only);
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await expect.element(page.getByRole('heading', { name: post.title })).toBeVisible();
});

test('an empty list leads to the form', async () => {
  api.answer(calls.listWantedPosts, { items: [], next_cursor: null });
  await open();
  await expect
    .element(page.getByRole('heading', { name: 'Nobody is looking for anything here', level: 2 }))
    .toBeVisible();
  await page.getByRole('link', { name: 'Post what you’re looking for' }).click();
  await expect.element(address).toHaveTextContent('/post-ad?wanted');
});

test.each([
  ['I have this', 'You need to be logged in to answer.'],
  ['Report', 'You need to be logged in to report.'],
])('a visitor who presses %s is asked to log in, and gets the focus back', async (name, sentence) => {
  api.answer(calls.listWantedPosts, only);
  await open();
  const button = page.getByRole('button', { name: new RegExp(`^${name}`) });
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('dialog').getByText(sentence, { exact: false })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});

test('a signed-in person answers others, and edits what they look for themselves', async () => {
  const own = { ...post, id: '3f0f2a53-5d0f-4c53-9a8f-0a4f6d1a5b11', title: 'My own wish' };
  api.answer(calls.listWantedPosts, {
    items: [post, { ...own, user: { ...post.user, id: ownId } }],
    next_cursor: null,
  });
  api.answer(calls.listListingsToAnswerWith, getRecorded('listListingsToAnswerWith'));
  signIn();
  await open();
  await answer.click();
  await expect.element(page.getByRole('dialog', { name: 'I have this' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  const card = page.getByRole('listitem').filter({ hasText: 'My own wish' });
  await expect.element(card.getByRole('button')).not.toBeInTheDocument();
  await card.getByRole('link', { name: 'Edit' }).click();
  await expect.element(address).toHaveTextContent(`/post-ad?wanted=${own.id}`);
});
