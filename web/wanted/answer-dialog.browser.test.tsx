import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { createTestApi, networkFailure, refuse } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { AnswerDialog } from './answer-dialog.tsx';

const api = createTestApi();
const [post] = getRecorded('listWantedPosts').items;
const { items } = getRecorded('listListingsToAnswerWith');
const [first, second] = items;
if (!post || !first || !second) throw new Error('Too little is recorded');

const onClose = vi.fn();
const open = async () => {
  onClose.mockReset();
  await openScreen('/', { '/': () => <AnswerDialog post={post} ownId="me" onClose={onClose} /> });
};
const dialog = page.getByRole('dialog', { name: 'I have this' });
const send = dialog.getByRole('button', { name: 'Send' });
afterEach(() => vi.restoreAllMocks());

test('says that it loads, that this failed, and then offers the listings', async () => {
  const failures = [refuse('internal'), networkFailure()];
  const loading = api.hold(calls.listListingsToAnswerWith, () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return { items };
  });
  await open();
  await expect.element(dialog.getByRole('status')).toHaveTextContent('Loading your listings');
  await expect.element(send).not.toBeInTheDocument();
  loading.release();
  for (const count of [1, 2]) {
    await expect.element(dialog.getByText('Failed to load your listings')).toBeVisible();
    await expect.poll(() => api.listRequests(calls.listListingsToAnswerWith)).toHaveLength(count);
    await dialog.getByRole('button', { name: 'Try again' }).click();
  }
  await expect.element(dialog.getByRole('radio', { name: first.title, exact: false })).toBeChecked();
});

test('a person without listings is led to the form of one', async () => {
  api.answer(calls.listListingsToAnswerWith, { items: [] });
  await open();
  await expect.element(dialog.getByText('you have none yet', { exact: false })).toBeVisible();
  await expect.element(send).not.toBeInTheDocument();
  await dialog.getByRole('link', { name: 'Post it' }).click();
  await expect.element(address).toHaveTextContent('/post-ad');
});

test('keys choose another listing and send the answer; the same one again after it failed', async () => {
  api.answer(calls.listListingsToAnswerWith, { items });
  api.answer(calls.answerWantedPost, () => {
    throw refuse('unavailable');
  });
  await open();
  const radio = dialog.getByRole('radio', { name: first.title, exact: false });
  await expect.element(radio).toBeChecked();
  (radio.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(dialog.getByRole('radio', { name: second.title, exact: false })).toBeChecked();
  (send.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  api.answer(calls.answerWantedPost, { conversation_id: '3f0f2a53-5d0f-4c53-9a8f-0a4f6d1a5b11' });
  await expect.element(send).toBeEnabled();
  await send.click();
  await expect.element(address).toHaveTextContent('/messages?c=3f0f2a53-5d0f-4c53-9a8f-0a4f6d1a5b11');
  const [sent, again] = api.listRequests(calls.answerWantedPost);
  expect(sent?.body).toMatchObject({
    listing_id: second.id,
    text: 'I have this. Are you still looking for it?',
  });
  expect(again).toEqual(sent);
});

test('a message is required, and nothing is sent without a connection', async () => {
  api.answer(calls.listListingsToAnswerWith, { items });
  await open();
  const message = dialog.getByRole('textbox', { name: 'Message' });
  await message.fill('');
  await send.click();
  await expect.element(message).toHaveAccessibleDescription('Please write a message');
  await expect.element(message).toHaveFocus();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  window.dispatchEvent(new Event('offline'));
  await expect.element(dialog.getByRole('button', { name: 'You’re offline' })).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});
