import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { type Conversation, type Message, unsendSeconds } from '#contract/conversations.ts';
import { createDealEventLine } from '#contract/testing.ts';
import type { TopicHandlers } from '#web/lib/socket.ts';
import { createTestApi, refuse, type TestRequest } from '#web/testing/api.ts';
import { createConversation, createMessage, otherName, ownId } from '#web/testing/conversations.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { toQuotedMessage } from './thread.ts';
import { ThreadView } from './thread-view.tsx';

const topics = vi.hoisted(() => new Set<TopicHandlers>());
vi.mock('#web/lib/socket.ts', () => ({
  subscribeToTopic: (_topic: string, handlers: TopicHandlers) => {
    topics.add(handlers);
    return () => topics.delete(handlers);
  },
}));

const api = createTestApi();
let conversation: Conversation;
let stored: Message[];

/** Delivers a message over the live connection. */
const deliver = (message: Message): void => {
  for (const { on } of topics) on.message?.(message);
};
const receive = (text: string, changes: Partial<Message> = {}): void => {
  const message = createMessage(stored.length + 1, text, { conversation_id: conversation.id, ...changes });
  stored.push(message);
  deliver(message);
};
const store = ({ body }: TestRequest): Message => {
  const { client_id, message_text } = body as Pick<Message, 'client_id' | 'message_text'>;
  const message = createMessage(stored.length + 1, message_text, {
    conversation_id: conversation.id,
    sender_id: ownId,
    client_id,
  });
  stored.push(message);
  return message;
};

api.answer(calls.listMessages, () => ({ items: stored, more: false }));
api.answer(calls.sendMessage, store);
api.answer(calls.markRead, { conversation_id: createConversation(1).id, unread_count: 0, unread_total: 0 });
api.answer(calls.listDeals, { items: [], next_cursor: null });

beforeEach(() => {
  signIn();
  conversation = createConversation(1, { buyer_id: null });
  stored = [];
  receive('hello');
});

const open = () =>
  openScreen('/', {
    '/': () => (
      <div className="flex flex-col" style={{ width: 360, height: 500 }}>
        <ThreadView conversation={conversation} ownId={ownId} />
      </div>
    ),
  });
const thread = page.getByRole('region', { name: `Messages with ${otherName}` });
const input = page.getByPlaceholder('Type your message...');
const send = page.getByRole('button', { name: 'Send' });
const tips = page.getByRole('note', { name: 'Safety tip' });
const expectTexts = () =>
  expect.poll(() =>
    [...document.querySelectorAll<HTMLElement>('section li p[dir]')].map(({ innerText }) => innerText),
  );
const countStored = () => document.querySelectorAll('section li time').length;
const typeAndSend = async (text: string) => {
  await input.fill(text);
  await userEvent.keyboard('{Enter}');
};

test('Enter sends a message while the earlier messages are still loading', async () => {
  const loading = api.hold(calls.listMessages, () => ({ items: stored, more: false }));
  await open();
  await expect.element(page.getByText('Loading messages')).toBeInTheDocument();
  await typeAndSend('quick answer');
  await expectTexts().toEqual(['quick answer']);
  await expect.element(page.getByText('Sending…')).not.toBeInTheDocument();
  await expect.element(input).toHaveValue('');
  loading.release();
  await expectTexts().toEqual(['hello', 'quick answer']);
});

test('an empty message cannot be sent, Shift+Enter breaks the line, and Enter sends', async () => {
  await open();
  await expect.element(thread).toBeVisible();
  await expect.element(send).toBeDisabled();
  await typeAndSend('   ');
  await expect.element(input).toHaveValue('   ');
  await expect.element(send).toBeDisabled();
  await input.fill('first');
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}second');
  await expect.element(input).toHaveValue('first\nsecond');
  await expect.element(send).toBeEnabled();
  await userEvent.keyboard('{Enter}');
  await expect.element(input).toHaveValue('');
  await expectTexts().toEqual(['hello', 'first\nsecond']);
  await expect.poll(countStored).toBe(2);
});

test('a refused message returns to the input with its reason, before text typed in the meantime', async () => {
  const sending = api.hold(calls.sendMessage, () => {
    throw refuse('rate_limited', { error: 'Slow down' });
  });
  await open();
  await typeAndSend('an offer');
  await expect.element(page.getByText('Sending…')).toBeVisible();
  await expect.element(send).toBeDisabled();
  await input.fill('and a thought');
  await expect.element(send).toBeDisabled();
  sending.release();
  await expect.element(page.getByText('Failed to send message')).toBeVisible();
  await expect.element(page.getByText('Slow down').first()).toBeVisible();
  await expect.element(input).toHaveValue('an offer\nand a thought');
  await expectTexts().toEqual(['hello']);
  api.answer(calls.sendMessage, store);
  await input.click();
  await userEvent.keyboard('{Enter}');
  await expectTexts().toEqual(['hello', 'an offer\nand a thought']);
});

test('promise 27: the same text sent three times is three messages, even if events precede the responses', async () => {
  let responses = 0;
  const counts: number[] = [];
  api.answer(calls.sendMessage, async (request) => {
    const message = store(request);
    deliver(message);
    // The page shows the time of a message once it is stored.
    await expect.poll(countStored).toBe(stored.length);
    counts.push(document.querySelectorAll('section li p[dir]').length);
    responses += 1;
    return message;
  });
  await open();
  await expect.element(thread).toBeVisible();
  for (let time = 0; time < 3; time += 1) await typeAndSend('Hi');
  await expectTexts().toEqual(['hello', 'Hi', 'Hi', 'Hi']);
  await expect.poll(() => responses).toBe(3);
  await expectTexts().toEqual(['hello', 'Hi', 'Hi', 'Hi']);
  expect(countStored()).toBe(4);
  expect(Math.max(...counts)).toBe(4);
});

test('links in messages open in a new tab without access to this one, and show where they lead', async () => {
  stored = [];
  receive('Photos: https://photos.example/desk?id=4. Or write to ada@usc.edu!');
  receive('https://аpple.com/login');
  receive('javascript:alert(1) https://bank.example@evil.example/ data:text/html,hi');
  receive(`https://photos.example/${'wide'.repeat(100)}`);
  await open();
  await expect.element(thread).toBeVisible();
  const links = [...thread.element().querySelectorAll('a')];
  expect(
    links.map((link) => [link.textContent?.slice(0, 35), link.getAttribute('href')?.slice(0, 35)]),
  ).toEqual([
    ['https://photos.example/desk?id=4', 'https://photos.example/desk?id=4'],
    ['ada@usc.edu', 'mailto:ada@usc.edu'],
    ['https://xn--pple-43d.com/login', 'https://xn--pple-43d.com/login'],
    ['https://photos.example/widewidewidew', 'https://photos.example/widewidewidew'].map((it) =>
      it.slice(0, 35),
    ),
  ]);
  for (const link of links) expect(link.rel).toBe('noopener nofollow ugc');
  expect(links[0]?.target).toBe('_blank');
  expect(thread.element().scrollWidth).toBe(thread.element().clientWidth);
});

test('messages that are typical of scams have a safety tip, which can be dismissed', async () => {
  conversation = createConversation(1, {
    buyer_id: null,
    other: conversation.other && { ...conversation.other, is_new_account: true },
  });
  await open();
  await expect
    .element(tips)
    .toHaveTextContent(
      'This account is less than a week old. Meet in person before you pay or hand anything over.',
    );
  await expectTexts().toEqual(['hello']);
  receive('Text me on WhatsApp and send me the 6-digit code you just got: https://evil.example/pay');
  const tip = tips.last();
  await expect
    .element(tip.getByText('Never share a code that was sent to you.', { exact: false }))
    .toBeVisible();
  await expect.element(tip.getByText('This link leads to another website.', { exact: false })).toBeVisible();
  await expect
    .element(tip.getByText('It’s safer to keep the conversation here', { exact: false }))
    .toBeVisible();
  await expect
    .poll(() => document.querySelector('[aria-live=polite]')?.textContent)
    .toContain('Never share a code');
  (tip.getByRole('button', { name: 'Hide safety tip' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => tips.elements().length).toBe(1);
  await expect.element(thread).toHaveFocus();
});

test('a dismissed safety tip stays hidden when the conversation is opened again', async () => {
  receive('Pay in advance at https://evil.example');
  const { unmount } = await open();
  await page.getByRole('button', { name: 'Hide safety tip' }).click();
  await expect.element(tips).not.toBeInTheDocument();
  await unmount();
  await open();
  await expect.element(thread).toBeVisible();
  await expect.element(tips).not.toBeInTheDocument();
});

test('steps of a deal appear between the messages, with the sentence for the reader, and are announced', async () => {
  await open();
  await expectTexts().toEqual(['hello']);
  receive('The buyer offered $110.', { sender_id: null, kind: 'deal', data: createDealEventLine() });
  await expect.element(thread.getByText(`${otherName} offered $110.`)).toBeVisible();
  await expect
    .poll(() => document.querySelector('[aria-live=polite]')?.textContent)
    .toBe(`${otherName} offered $110.`);
  receive('And it is yours.');
  await expectTexts().toEqual(['hello', 'And it is yours.']);
  const items = [...thread.element().querySelectorAll('ol > li')].map((it) => it.textContent ?? '');
  expect(items.findIndex((it) => it.includes('offered'))).toBe(items.length - 2);
});

const getRow = (text: string) => thread.getByRole('listitem').filter({ hasText: text }).first();
const openMenu = (text: string) => getRow(text).getByRole('button', { name: 'Message options' }).click();
const getItem = (name: string) => page.getByRole('menuitem', { name });
const goOffline = (isOffline: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(!isOffline);
  window.dispatchEvent(new Event(isOffline ? 'offline' : 'online'));
};
const toUnsent = (message: Message, unsent_number = 1): Message => ({
  ...message,
  message_text: 'Message unsent',
  unsent_number,
});

describe('unsending', () => {
  beforeEach(() => receive('a secret', { sender_id: ownId }));

  test('replaces an own message and moves the focus to it; others and older ones have no such item', async () => {
    const sentAt = new Date(Date.now() - unsendSeconds * 1000).toISOString();
    receive('an old one', { sender_id: ownId, created_at: sentAt });
    const requests: TestRequest[] = [];
    api.answer(calls.unsendMessage, (request) => {
      requests.push(request);
      return toUnsent(stored[1] as Message);
    });
    await open();
    for (const text of ['hello', 'an old one']) {
      await openMenu(text);
      await expect.element(getItem('Reply')).toBeVisible();
      await expect.element(getItem('Unsend')).not.toBeInTheDocument();
      await userEvent.keyboard('{Escape}');
    }
    await openMenu('a secret');
    await getItem('Unsend').click();
    await expectTexts().toEqual(['hello', 'Message unsent', 'an old one']);
    await expect.element(getRow('Message unsent')).toHaveFocus();
    await expect
      .element(getRow('Message unsent').getByRole('button', { name: 'Message options' }))
      .not.toBeInTheDocument();
    expect(requests.map(({ params }) => params)).toEqual([
      { id: conversation.id, message_id: stored[1]?.id },
    ]);
  });

  test('says why when it is too late, and needs a connection', async () => {
    api.answer(calls.unsendMessage, () => {
      throw refuse('message_unsend_late');
    });
    await open();
    await openMenu('a secret');
    await getItem('Unsend').click();
    await expect.element(page.getByText('It is too late to unsend this message.')).toBeVisible();
    await expectTexts().toEqual(['hello', 'a secret']);
    goOffline(true);
    await openMenu('a secret');
    await expect.element(getItem('Unsend (you’re offline)')).toHaveAttribute('aria-disabled', 'true');
    goOffline(false);
  });

  test('by the other party is shown live, also in quotes, and in the reply being written', async () => {
    const [hello] = stored as [Message];
    receive('why?', { sender_id: ownId, reply_to: toQuotedMessage(hello) });
    await open();
    await openMenu('hello');
    await getItem('Reply').click();
    await expect
      .element(page.getByRole('region', { name: 'Your reply to' }))
      .toHaveTextContent(`${otherName}hello`);
    for (const { on } of topics) on.unsent?.(toUnsent(hello));
    await expect.poll(() => document.body.textContent?.includes('hello')).toBe(false);
    await expect
      .element(page.getByRole('region', { name: 'Your reply to' }))
      .toHaveTextContent(`${otherName}Message unsent`);
    await expect.element(getRow('why?').getByRole('button', { name: /Message unsent/ })).toBeVisible();
    await page.getByRole('button', { name: 'Don’t reply to it' }).click();
  });
});

describe('a reply', () => {
  test('is begun in the menu, keeps its quote across a reload, and is sent with it', async () => {
    const { unmount } = await open();
    await openMenu('hello');
    await getItem('Reply').click();
    await expect.element(input).toHaveFocus();
    await unmount();
    await open();
    const bar = page.getByRole('region', { name: 'Your reply to' });
    await expect.element(bar).toHaveTextContent(`${otherName}hello`);
    const requests: TestRequest[] = [];
    api.answer(calls.sendMessage, (request) => {
      requests.push(request);
      const message = store(request);
      message.reply_to = toQuotedMessage(stored[0] as Message);
      return message;
    });
    await typeAndSend('hi!');
    await expect.element(bar).not.toBeInTheDocument();
    await expect
      .poll(() => requests.map(({ body }) => (body as { reply_to?: string }).reply_to))
      .toEqual([stored[0]?.id]);
    const quote = getRow('hi!').getByRole('button', { name: /hello/ });
    await quote.click();
    await expect.element(thread.getByRole('listitem').nth(1)).toHaveFocus();
  });

  test('leads to its original, which is loaded if necessary', async () => {
    const original = createMessage(1, 'the first', { conversation_id: conversation.id });
    stored = [];
    for (let seq = 2; seq <= 100; seq += 1)
      stored.push(createMessage(seq, `message ${seq}`, { conversation_id: conversation.id }));
    stored.push(
      createMessage(101, 'about that', {
        conversation_id: conversation.id,
        reply_to: toQuotedMessage(original),
      }),
    );
    const queries: unknown[] = [];
    api.answer(calls.listMessages, ({ query }) => {
      const before = Number(query.before_seq);
      if (!before) return { items: stored.slice(-50), more: true };
      queries.push(query);
      return { items: [original, ...stored.slice(0, before - 2)], more: false };
    });
    await open();
    await getRow('about that')
      .getByRole('button', { name: /the first/ })
      .click();
    await expect.element(getRow('the first')).toHaveFocus();
    await expect.element(getRow('the first')).toBeInViewport();
    expect(queries).toHaveLength(1);
    api.answer(calls.listMessages, () => ({ items: stored, more: false }));
  });

  test('is begun by a swipe towards the end of a message, but not by a short one or by scrolling', async () => {
    await open();
    await expect.element(getRow('hello')).toBeVisible();
    const row = getRow('hello').element();
    const swipe = (toX: number, toY = 100) => {
      const at = (x: number, y: number) => ({
        ...{ bubbles: true, isPrimary: true, pointerType: 'touch', pointerId: 1, clientX: x, clientY: y },
      });
      vi.spyOn(row, 'setPointerCapture').mockReturnValue();
      row.dispatchEvent(new PointerEvent('pointerdown', at(60, 100)));
      row.dispatchEvent(new PointerEvent('pointermove', at(60 + (toX - 60) / 2, toY)));
      row.dispatchEvent(new PointerEvent('pointermove', at(toX, toY)));
      row.dispatchEvent(new PointerEvent('pointerup', at(toX, toY)));
    };
    const bar = page.getByRole('region', { name: 'Your reply to' });
    swipe(90);
    swipe(10);
    swipe(200, 200);
    await expect.element(bar).not.toBeInTheDocument();
    swipe(140);
    await expect.element(bar).toHaveTextContent(`${otherName}hello`);
    await page.getByRole('button', { name: 'Don’t reply to it' }).click();
  });

  test('is not offered when the two people may not write to each other; unsending is', async () => {
    api.answer(calls.listBlockedIds, { user_ids: [] });
    conversation = createConversation(1, { buyer_id: null, may_write: false });
    receive('a secret', { sender_id: ownId });
    await open();
    await expect
      .element(getRow('hello').getByRole('button', { name: 'Message options' }))
      .not.toBeInTheDocument();
    await openMenu('a secret');
    await expect.element(getItem('Unsend')).toBeVisible();
    await expect.element(getItem('Reply')).not.toBeInTheDocument();
  });
});
