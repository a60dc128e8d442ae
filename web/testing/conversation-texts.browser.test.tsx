import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { conversationTexts } from '#contract/specification-texts.ts';
import { MessageDialog } from '#web/conversations/message-dialog.tsx';
import Messages from '#web/routes/messages.tsx';
import { createTestApi, refuse } from './api.ts';
import { getRecorded } from './recorded.ts';
import { openScreen } from './screen.tsx';
import { signIn, signOut } from './session.ts';
import { recordShownTexts } from './shown-texts.ts';

const api = createTestApi();
const listMissing = recordShownTexts();

const fail = () => {
  throw refuse('internal');
};
const see = (text: string) => expect.element(page.getByText(text, { exact: false }).first()).toBeVisible();
const openDialog = () => {
  const listing = getRecorded('getListing');
  return openScreen('/dialog', { '/dialog': () => <MessageDialog listing={listing} onClose={() => {}} /> });
};

test('visitors are asked to log in before they write', async () => {
  signOut();
  await openDialog();
  await see('Please login to send messages');
});

test('a new conversation says that it could not be loaded, that it is empty, and that its message was refused', async () => {
  signIn();
  api.answer(calls.findConversation, fail);
  await openDialog();
  await see('Failed to load conversation');
  api.answer(calls.findConversation, { conversation: null });
  await page.getByRole('button', { name: 'Try again' }).click();
  await see('No messages yet. Start the conversation!');
  await page.getByRole('button', { name: 'Is this still available?' }).click();
  await expect.element(page.getByPlaceholder('Type your message...')).toHaveValue('Is this still available?');
  await expect.element(page.getByPlaceholder('Type your message...')).toHaveFocus();
  api.answer(calls.openConversation, fail);
  await page.getByPlaceholder('Type your message...').fill('Hello');
  await userEvent.keyboard('{Enter}');
  await see('Failed to send message');
});

test('Messages says that the list could not be loaded, and asks to select a conversation until one is open', async () => {
  signIn();
  for (const name of ['countUnread', 'listBlockedIds', 'listDeals', 'listHandovers', 'listMessages'] as const)
    api.answer(calls[name], getRecorded(name) as never);
  api.answer(calls.markRead, ({ params }) => ({
    conversation_id: params.id ?? '',
    unread_count: 0,
    unread_total: 0,
  }));
  api.answer(calls.listConversations, fail);
  const { unmount } = await openScreen('/messages', { '/messages': Messages });
  await see('Failed to load conversations');
  await unmount();
  api.answer(calls.listConversations, getRecorded('listConversations'));
  await openScreen('/messages', { '/messages': Messages });
  await expect.element(page.getByPlaceholder('Type your message...')).toBeVisible();
  await expect.poll(() => api.listRequests(calls.markRead)).toHaveLength(1);
});

test('every text of the specification about messages was shown', () => {
  expect(listMissing(conversationTexts)).toEqual([]);
});
