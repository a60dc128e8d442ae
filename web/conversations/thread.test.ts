import { describe, expect, test } from 'vitest';
import type { Message } from '#contract/conversations.ts';
import {
  emptyThread,
  hasGap,
  lastContiguousSeq,
  type PendingMessage,
  type Thread,
  type ThreadEvent,
  threadReducer,
  toBubbles,
  toCacheableThread,
} from './thread.ts';

const me = 'me';
const message = (seq: number, text: string, client_id = `c${seq}`, sender_id = 'other'): Message => ({
  id: `m${seq}`,
  conversation_id: 'conversation',
  seq,
  sender_id,
  client_id,
  message_text: text,
  created_at: '2026-03-02T10:00:00.000Z',
});
const createOwnMessage = (seq: number, text: string, client_id: string): Message =>
  message(seq, text, client_id, me);

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

/** Returns the texts on screen; pending ones end with an ellipsis. */
const shown = (thread: Thread, pending: readonly PendingMessage[]): string[] =>
  toBubbles(thread, pending, me).map((bubble) => `${bubble.text}${bubble.pending ? '…' : ''}`);

const cases: { title: string; events: ThreadEvent[]; pending?: PendingMessage[]; shows: string[] }[] = [
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
    events: [createLoadedEvent(createOwnMessage(1, 'Hi', 'a')), createArrivedEvent(message(2, 'Hello'))],
    shows: ['Hi', 'Hello'],
  },
  {
    title: 'a duplicate changes nothing',
    events: [
      createLoadedEvent(message(1, 'Hello')),
      createArrivedEvent(message(1, 'Hello')),
      createArrivedEvent(message(1, 'Hello')),
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
    events: [createLoadedEvent(), createArrivedEvent(message(1, 'Hi'))],
    pending: [createPendingMessage('a', 'Hi')],
    shows: ['Hi', 'Hi…'],
  },
  {
    title: 'the same client id from the other party does not replace a pending message',
    events: [createLoadedEvent(), createArrivedEvent(message(1, 'Hello', 'a'))],
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
      createLoadedEvent(message(1, 'one')),
      createArrivedEvent(message(3, 'three')),
      createArrivedEvent(message(2, 'two')),
    ],
    shows: ['one', 'two', 'three'],
  },
  {
    title: 'a live message before the first load is not lost',
    events: [createArrivedEvent(message(2, 'two')), createLoadedEvent(message(1, 'one'), message(2, 'two'))],
    shows: ['one', 'two'],
  },
  {
    title: 'older messages come first',
    events: [
      createLoadedEvent(message(3, 'three')),
      { kind: 'older', messages: [message(1, 'one'), message(2, 'two')], more: false },
    ],
    shows: ['one', 'two', 'three'],
  },
  {
    title: 'promise 29: catching up after a long time offline shows everything once, in order',
    events: [
      createLoadedEvent(message(1, '1')),
      createArrivedEvent(message(4, '4')),
      createArrivedEvent(...[2, 3, 4, 5].map((seq) => message(seq, String(seq)))),
    ],
    shows: ['1', '2', '3', '4', '5'],
  },
];

describe('a thread', () => {
  test.each(cases)('$title', ({ events, pending = [], shows }) => {
    const thread = events.reduce(threadReducer, emptyThread);
    expect(shown(thread, pending)).toEqual(shows);
  });

  test('a bubble keeps its key when its message is stored, and no two have the same', () => {
    const before = toBubbles(emptyThread, [createPendingMessage('a', 'Hi')], me);
    const after = toBubbles(
      threadReducer(emptyThread, createArrivedEvent(createOwnMessage(1, 'Hi', 'a'), message(2, 'Hi', 'a'))),
      [],
      me,
    );
    expect(after[0]?.key).toBe(before[0]?.key);
    expect(after[1]?.key).not.toBe(after[0]?.key);
  });

  test('an event without new messages returns the same thread', () => {
    const thread = threadReducer(emptyThread, createLoadedEvent(message(1, 'one')));
    expect(threadReducer(thread, createArrivedEvent(message(1, 'one')))).toBe(thread);
  });

  test('only the newest part of a thread without gaps is cached', () => {
    const whole = threadReducer(emptyThread, createLoadedEvent(...[1, 2, 3].map((seq) => message(seq, 'x'))));
    expect(toCacheableThread(whole, 3)).toEqual(whole);
    const part = toCacheableThread(whole, 2);
    expect(part?.stored.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(part?.more).toBe(true);
    expect(toCacheableThread(threadReducer(whole, createArrivedEvent(message(9, 'x'))), 3)).toBeUndefined();
    expect(toCacheableThread(emptyThread, 3)).toBeUndefined();
  });

  test.each([
    ['nothing loaded', [createArrivedEvent(message(3, 'x'))], undefined, false],
    ['an empty thread', [createLoadedEvent()], 0, false],
    ['a whole thread', [createLoadedEvent(message(1, 'x'), message(2, 'x'))], 2, false],
    [
      'the newest page of a long one',
      [{ kind: 'loaded', messages: [message(41, 'x'), message(42, 'x')], more: true }],
      42,
      false,
    ],
    [
      'a hole',
      [createLoadedEvent(message(1, 'x'), message(2, 'x')), createArrivedEvent(message(4, 'x'))],
      2,
      true,
    ],
    [
      'a first message that was not the first',
      [createLoadedEvent(), createArrivedEvent(message(2, 'x'))],
      0,
      true,
    ],
  ] as const)('knows up to which seq nothing is missing: %s', (_title, events, seq, gap) => {
    const thread = events.reduce<Thread>(threadReducer, emptyThread);
    expect(lastContiguousSeq(thread)).toBe(seq);
    expect(hasGap(thread)).toBe(gap);
  });
});
