import { describe, expect, test } from 'vitest';
import type { Message } from '#contract/conversations.ts';
import { createDealEventLine } from '#contract/testing.ts';
import {
  emptyThread,
  findSeenKey,
  getLastContiguousSeq,
  hasMessageGap,
  type PendingMessage,
  type Thread,
  type ThreadEvent,
  threadReducer,
  toCacheableThread,
  toQuotedMessage,
  toThreadItems,
} from './thread.ts';

const ownUserId = 'me';
const createMessage = (seq: number, text: string, client_id = `c${seq}`, sender_id = 'other'): Message => ({
  id: `m${seq}`,
  conversation_id: 'conversation',
  seq,
  sender_id,
  client_id,
  message_text: text,
  created_at: '2026-03-02T10:00:00.000Z',
  kind: 'text',
  data: null,
});
const createOwnMessage = (seq: number, text: string, client_id: string): Message =>
  createMessage(seq, text, client_id, ownUserId);

const createLoadedEvent = (...messages: Message[]): ThreadEvent => ({
  kind: 'loaded',
  messages,
  more: false,
});
const createArrivedEvent = (...messages: Message[]): ThreadEvent => ({ kind: 'arrived', messages });
const createPendingMessage = (client_id: string, message_text: string): PendingMessage => ({
  client_id,
  message_text,
  created_at: '2026-03-02T10:00:00.000Z',
});

/** Returns the displayed texts of a thread. Those of pending messages end with an ellipsis. */
const listDisplayedTexts = (thread: Thread, pending: readonly PendingMessage[]): string[] =>
  toThreadItems(thread, pending, ownUserId).map(
    (item) => `${item.text}${item.kind === 'bubble' && item.pending ? '…' : ''}`,
  );

const mergeCases: { title: string; events: ThreadEvent[]; pending?: PendingMessage[]; shows: string[] }[] = [
  {
    title: 'a sent message appears immediately',
    events: [createLoadedEvent()],
    pending: [createPendingMessage('a', 'Hi')],
    shows: ['Hi…'],
  },
  {
    title: 'promise 27: the event before the HTTP response is one bubble',
    events: [createLoadedEvent(), createArrivedEvent(createOwnMessage(1, 'Hi', 'a'))],
    pending: [createPendingMessage('a', 'Hi')],
    shows: ['Hi'],
  },
  {
    title: 'the HTTP response after the event changes nothing',
    events: [
      createLoadedEvent(),
      createArrivedEvent(createOwnMessage(1, 'Hi', 'a')),
      createArrivedEvent(createOwnMessage(1, 'Hi', 'a')),
    ],
    shows: ['Hi'],
  },
  {
    title: 'the message of the other party is added',
    events: [
      createLoadedEvent(createOwnMessage(1, 'Hi', 'a')),
      createArrivedEvent(createMessage(2, 'Hello')),
    ],
    shows: ['Hi', 'Hello'],
  },
  {
    title: 'a duplicate changes nothing',
    events: [
      createLoadedEvent(createMessage(1, 'Hello')),
      createArrivedEvent(createMessage(1, 'Hello')),
      createArrivedEvent(createMessage(1, 'Hello')),
    ],
    shows: ['Hello'],
  },
  {
    title: 'promise 27: the same text three times quickly is three messages',
    events: [
      createLoadedEvent(),
      createArrivedEvent(createOwnMessage(1, 'Hi', 'a')),
      createArrivedEvent(createOwnMessage(2, 'Hi', 'b')),
    ],
    pending: [createPendingMessage('b', 'Hi'), createPendingMessage('c', 'Hi')],
    shows: ['Hi', 'Hi', 'Hi…'],
  },
  {
    title: 'the same text from the other party does not replace a pending message',
    events: [createLoadedEvent(), createArrivedEvent(createMessage(1, 'Hi'))],
    pending: [createPendingMessage('a', 'Hi')],
    shows: ['Hi', 'Hi…'],
  },
  {
    title: 'the same client id from the other party does not replace a pending message',
    events: [createLoadedEvent(), createArrivedEvent(createMessage(1, 'Hello', 'a'))],
    pending: [createPendingMessage('a', 'Hi')],
    shows: ['Hello', 'Hi…'],
  },
  {
    title: 'pending messages come last, in the order of sending, even before the thread is loaded',
    events: [],
    pending: [createPendingMessage('a', 'One'), createPendingMessage('b', 'Two')],
    shows: ['One…', 'Two…'],
  },
  {
    title: 'messages that arrive out of order are sorted',
    events: [
      createLoadedEvent(createMessage(1, 'one')),
      createArrivedEvent(createMessage(3, 'three')),
      createArrivedEvent(createMessage(2, 'two')),
    ],
    shows: ['one', 'two', 'three'],
  },
  {
    title: 'a live message before the first load is not lost',
    events: [
      createArrivedEvent(createMessage(2, 'two')),
      createLoadedEvent(createMessage(1, 'one'), createMessage(2, 'two')),
    ],
    shows: ['one', 'two'],
  },
  {
    title: 'older messages come first',
    events: [
      createLoadedEvent(createMessage(3, 'three')),
      { kind: 'older', messages: [createMessage(1, 'one'), createMessage(2, 'two')], more: false },
    ],
    shows: ['one', 'two', 'three'],
  },
  {
    title: 'promise 29: catching up after a long time offline shows everything once, in order',
    events: [
      createLoadedEvent(createMessage(1, '1')),
      createArrivedEvent(createMessage(4, '4')),
      createArrivedEvent(...[2, 3, 4, 5].map((seq) => createMessage(seq, String(seq)))),
    ],
    shows: ['1', '2', '3', '4', '5'],
  },
];

describe('a thread', () => {
  test.each(mergeCases)('$title', ({ events, pending = [], shows }) => {
    const thread = events.reduce(threadReducer, emptyThread);
    expect(listDisplayedTexts(thread, pending)).toEqual(shows);
  });

  test('a bubble keeps its key when its message is stored, and no two have the same', () => {
    const before = toThreadItems(emptyThread, [createPendingMessage('a', 'Hi')], ownUserId);
    const after = toThreadItems(
      threadReducer(
        emptyThread,
        createArrivedEvent(createOwnMessage(1, 'Hi', 'a'), createMessage(2, 'Hi', 'a')),
      ),
      [],
      ownUserId,
    );
    expect(after[0]?.key).toBe(before[0]?.key);
    expect(after[1]?.key).not.toBe(after[0]?.key);
  });

  test('an event line is not a bubble, and its sentence is formatted for the reader', () => {
    const offer = { ...createOwnMessage(2, 'The buyer offered $110.', 'b'), kind: 'deal' as const };
    const expiry = { ...createMessage(3, 'The offer expired.'), sender_id: null, kind: 'system' as const };
    const thread = threadReducer(emptyThread, createLoadedEvent(createMessage(1, 'Hi'), offer, expiry));
    const items = toThreadItems(thread, [createPendingMessage('c', 'Bye')], ownUserId, ({ message_text }) =>
      message_text.replace('The buyer', 'You'),
    );
    expect(items.map(({ kind, text }) => [kind, text])).toEqual([
      ['bubble', 'Hi'],
      ['event_line', 'You offered $110.'],
      ['event_line', 'The offer expired.'],
      ['bubble', 'Bye'],
    ]);
  });

  test('messages from older servers, which lack `kind`, are bubbles', () => {
    const { kind: _kind, data: _data, ...message } = createMessage(1, 'Hi');
    const thread = threadReducer(emptyThread, createLoadedEvent(message as Message));
    expect(toThreadItems(thread, [], ownUserId)).toMatchObject([{ kind: 'bubble', text: 'Hi', own: false }]);
  });

  test('an event without new messages returns the same thread', () => {
    const thread = threadReducer(emptyThread, createLoadedEvent(createMessage(1, 'one')));
    expect(threadReducer(thread, createArrivedEvent(createMessage(1, 'one')))).toBe(thread);
  });

  test('only the newest messages of a thread are cached, and none if the thread has gaps', () => {
    const whole = threadReducer(
      emptyThread,
      createLoadedEvent(...[1, 2, 3].map((seq) => createMessage(seq, 'x'))),
    );
    expect(toCacheableThread(whole, 3)).toEqual(whole);
    const part = toCacheableThread(whole, 2);
    expect(part?.stored.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(part?.more).toBe(true);
    expect(
      toCacheableThread(threadReducer(whole, createArrivedEvent(createMessage(9, 'x'))), 3),
    ).toBeUndefined();
    expect(toCacheableThread(emptyThread, 3)).toBeUndefined();
  });

  test.each([
    ['nothing loaded', [createArrivedEvent(createMessage(3, 'x'))], undefined, false],
    ['an empty thread', [createLoadedEvent()], 0, false],
    ['a whole thread', [createLoadedEvent(createMessage(1, 'x'), createMessage(2, 'x'))], 2, false],
    [
      'the newest page of a long one',
      [{ kind: 'loaded', messages: [createMessage(41, 'x'), createMessage(42, 'x')], more: true }],
      42,
      false,
    ],
    [
      'a hole',
      [
        createLoadedEvent(createMessage(1, 'x'), createMessage(2, 'x')),
        createArrivedEvent(createMessage(4, 'x')),
      ],
      2,
      true,
    ],
    [
      'a first message that was not the first',
      [createLoadedEvent(), createArrivedEvent(createMessage(2, 'x'))],
      0,
      true,
    ],
  ] as const)('knows up to which seq nothing is missing: %s', (_title, events, seq, gap) => {
    const thread = events.reduce<Thread>(threadReducer, emptyThread);
    expect(getLastContiguousSeq(thread)).toBe(seq);
    expect(hasMessageGap(thread)).toBe(gap);
  });
});

test('a line about running late replaces the previous one of the same party', () => {
  const createLine = (seq: number, by: 'buyer' | 'seller'): Message => ({
    ...createMessage(seq, `${by} ${seq}`),
    kind: 'deal',
    data: createDealEventLine({ transition: 'running_late', by, from: 'held', state: 'held' }),
  });
  const messages = [createLine(1, 'buyer'), createLine(2, 'seller'), createLine(3, 'buyer')];
  const thread = threadReducer(emptyThread, createLoadedEvent(...messages));
  expect(toThreadItems(thread, [], ownUserId).map(({ text }) => text)).toEqual(['seller 2', 'buyer 3']);
});

describe('an unsent message', () => {
  const unsend = (seq: number, unsent_number: number): Message => ({
    ...createMessage(seq, 'Message unsent'),
    unsent_number,
  });
  const createReply = (seq: number, to: Message): Message => ({
    ...createMessage(seq, 'Really?'),
    reply_to: toQuotedMessage(to),
  });
  const reduce = (...events: ThreadEvent[]) => events.reduce(threadReducer, emptyThread);
  const secret = createMessage(1, 'A secret');

  test('replaces the message and the quotes of it', () => {
    const { stored, unsentCount } = reduce(
      { ...createLoadedEvent(secret, createReply(2, secret)), unsentCount: 3 } as ThreadEvent,
      { kind: 'unsent', messages: [unsend(1, 4)], unsentCount: 4 },
    );
    expect(JSON.stringify(stored)).not.toContain('secret');
    expect(stored[1]?.reply_to).toMatchObject({ message_text: 'Message unsent', is_unsent: true });
    expect(unsentCount).toBe(4);
  });

  test('stays unsent when an older response arrives late, and leaves no gap when it is not loaded', () => {
    const thread = reduce(
      { kind: 'loaded', messages: [createMessage(5, 'Hi')], more: true, unsentCount: 0 },
      { kind: 'unsent', messages: [unsend(1, 1)], unsentCount: 1 },
    );
    expect(hasMessageGap(thread)).toBe(false);
    const { stored } = threadReducer(thread, { kind: 'older', messages: [secret], more: false });
    expect(stored.map(({ message_text }) => message_text)).toEqual(['Message unsent', 'Hi']);
    expect(toCacheableThread(thread, 10)?.unsentCount).toBe(1);
  });

  test('is not what the other party has seen', () => {
    const thread = reduce(createLoadedEvent(secret, createMessage(2, 'Second')), {
      kind: 'unsent',
      messages: [unsend(2, 1)],
    });
    expect(findSeenKey(thread, 'other', 2)).toBe('other c1');
  });

  test('of this device does not hide that others were unsent before', () => {
    const { unsentCount } = reduce(
      { kind: 'loaded', messages: [secret], more: false, unsentCount: 0 },
      { kind: 'unsent', messages: [unsend(1, 2)] },
    );
    expect(unsentCount).toBe(0);
  });
});
