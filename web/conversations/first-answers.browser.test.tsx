import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';
import { createTestApi } from '#web/testing/api.ts';
import { createConversation, createMessage, ownId } from '#web/testing/conversations.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { ThreadView } from './thread-view.tsx';

vi.mock('#web/lib/socket.ts', () => ({ subscribeToTopic: () => () => {}, pushToTopic: () => {} }));

const api = createTestApi();
const recorded = createConversation(1);
let stored: Message[];

const buyerId = '00000000-0000-4000-8000-00000000b0b0';
const toSellersConversation = (changes: Partial<Conversation> = {}): Conversation => ({
  ...recorded,
  buyer_id: buyerId,
  seller_id: ownId,
  listing: { ...recorded.listing, available: true, outcome: null, category: 'furniture' },
  ...changes,
});

const open = (conversation: Conversation) =>
  openScreen('/', {
    '/': () => (
      <div className="flex flex-col" style={{ width: 360, height: 500 }}>
        <ThreadView conversation={conversation} ownId={ownId} />
      </div>
    ),
  });
const answers = page.getByRole('list', { name: 'Quick answers' });
const input = page.getByPlaceholder('Type your message...');

beforeEach(() => {
  signIn();
  stored = [
    createMessage(1, 'Is this still available?', { conversation_id: recorded.id, sender_id: buyerId }),
  ];
  api.answer(calls.listMessages, () => ({ items: stored, more: false }));
  api.answer(calls.getListing, getRecorded('getListing'));
  api.answer(calls.listDeals, { items: [], next_cursor: null });
});

test('a seller answers the first question with one tap, and the answers disappear', async () => {
  api.answer(calls.sendMessage, ({ body }) => {
    const { client_id, message_text } = body as Pick<Message, 'client_id' | 'message_text'>;
    return createMessage(2, message_text, { conversation_id: recorded.id, sender_id: ownId, client_id });
  });
  await open(toSellersConversation());
  await expect
    .poll(() =>
      answers
        .getByRole('button')
        .elements()
        .map((it) => it.textContent),
    )
    .toEqual(['Yes, it is', "It's on hold", "Sorry, it's sold", 'Mark as Sold']);
  await answers.getByRole('button', { name: 'Yes, it is' }).click();
  await expect.element(input).toHaveValue('Yes, it is');
  await expect.element(input).toHaveFocus();
  await expect.element(answers).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(page.getByText('Sending…')).not.toBeInTheDocument();
  await expect.element(answers).not.toBeInTheDocument();
});

test('Mark as Sold opens the dialog in which the seller chooses who got the item', async () => {
  api.answer(calls.getMyListing, getRecorded('getMyListing'));
  api.answer(calls.listInterestedPeople, { items: [] });
  api.answer(calls.listDealsOfListing, { items: [], next_cursor: null } as never);
  await open(toSellersConversation());
  await answers.getByRole('button', { name: 'Mark as Sold' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Mark as Sold' })).toBeVisible();
});

test('a buyer, and a seller who has answered, get no answers', async () => {
  const { unmount } = await open({ ...recorded, listing: toSellersConversation().listing });
  await expect.element(page.getByText('Is this still available?')).toBeVisible();
  await expect.element(answers).not.toBeInTheDocument();
  await unmount();
  stored = [
    ...stored,
    createMessage(2, 'It is', { conversation_id: recorded.id, sender_id: ownId }),
    createMessage(3, 'Great, still available tomorrow?', {
      conversation_id: recorded.id,
      sender_id: buyerId,
    }),
  ];
  await open(
    toSellersConversation({
      id: '00000000-0000-4000-8000-00000000000b',
      last_message: stored.at(-1) ?? null,
    }),
  );
  await expect.element(page.getByText('Great, still available tomorrow?')).toBeVisible();
  await expect.element(answers).not.toBeInTheDocument();
});
