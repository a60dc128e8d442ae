import { describe, expect, test } from 'vitest';
import type { Message } from '#contract/conversations.ts';
import { caughtUpTo, emptyThread, hasGap, type Thread, type ThreadEvent, threadReducer } from './thread.ts';

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
const own = (seq: number, text: string, client_id: string): Message => message(seq, text, client_id, me);

const loaded = (...messages: Message[]): ThreadEvent => ({ kind: 'loaded', messages, more: false });
const arrived = (...messages: Message[]): ThreadEvent => ({ kind: 'arrived', messages });
const sending = (client_id: string, message_text: string): ThreadEvent => ({
  kind: 'sending',
  message: { client_id, message_text, created_at: '2026-03-02T10:00:00.000Z' },
});
const failed = (client_id: string): ThreadEvent => ({ kind: 'failed', client_id });

/** What the reader sees: stored ones as they are, those on their way with an ellipsis. */
const shown = (thread: Thread): string[] => [
  ...thread.stored.map(({ message_text }) => message_text),
  ...thread.pending.map(({ message_text }) => `${message_text}…`),
];

const cases: { title: string; events: ThreadEvent[]; shows: string[]; returned?: string }[] = [
  { title: 'a sent message appears at once', events: [loaded(), sending('a', 'Hi')], shows: ['Hi…'] },
  {
    title: 'its own echo takes the place of the temporary bubble',
    events: [loaded(), sending('a', 'Hi'), arrived(own(1, 'Hi', 'a'))],
    shows: ['Hi'],
  },
  {
    title: 'promise 27: the event before the HTTP answer is one bubble',
    events: [loaded(), sending('a', 'Hi'), arrived(own(1, 'Hi', 'a')), arrived(own(1, 'Hi', 'a'))],
    shows: ['Hi'],
  },
  {
    title: 'the message of the other party is added',
    events: [loaded(own(1, 'Hi', 'a')), arrived(message(2, 'Hello'))],
    shows: ['Hi', 'Hello'],
  },
  {
    title: 'a duplicate changes nothing',
    events: [loaded(message(1, 'Hello')), arrived(message(1, 'Hello')), arrived(message(1, 'Hello'))],
    shows: ['Hello'],
  },
  {
    title: 'promise 27: the same text three times quickly is three messages',
    events: [
      loaded(),
      sending('a', 'Hi'),
      sending('b', 'Hi'),
      sending('c', 'Hi'),
      arrived(own(1, 'Hi', 'a')),
      arrived(own(2, 'Hi', 'b')),
    ],
    shows: ['Hi', 'Hi', 'Hi…'],
  },
  {
    title: 'the same text from the other party does not take the place of one on its way',
    events: [loaded(), sending('a', 'Hi'), arrived(message(1, 'Hi'))],
    shows: ['Hi', 'Hi…'],
  },
  {
    title: 'a failure removes the temporary bubble and gives the text back',
    events: [loaded(), sending('a', 'Hi'), failed('a')],
    shows: [],
    returned: 'Hi',
  },
  {
    title: 'a failure among several gives back that one only',
    events: [loaded(), sending('a', 'One'), sending('b', 'Two'), failed('a')],
    shows: ['Two…'],
    returned: 'One',
  },
  {
    title: 'a failure after the echo is none: the answer was lost, not the message',
    events: [loaded(), sending('a', 'Hi'), arrived(own(1, 'Hi', 'a')), failed('a')],
    shows: ['Hi'],
  },
  {
    title: 'the echo after a failure takes the given-back text away',
    events: [loaded(), sending('a', 'Hi'), failed('a'), arrived(own(1, 'Hi', 'a'))],
    shows: ['Hi'],
  },
  {
    title: 'sending a given-back text once more shows it once',
    events: [loaded(), sending('a', 'Hi'), failed('a'), sending('a', 'Hi')],
    shows: ['Hi…'],
  },
  {
    title: 'sending what is stored already shows nothing new',
    events: [loaded(), arrived(own(1, 'Hi', 'a')), sending('a', 'Hi')],
    shows: ['Hi'],
  },
  {
    title: 'messages that arrive out of order stand in order',
    events: [loaded(message(1, 'one')), arrived(message(3, 'three')), arrived(message(2, 'two'))],
    shows: ['one', 'two', 'three'],
  },
  {
    title: 'a live message before the first load is kept',
    events: [arrived(message(2, 'two')), loaded(message(1, 'one'), message(2, 'two'))],
    shows: ['one', 'two'],
  },
  {
    title: 'older messages go before the others',
    events: [
      loaded(message(3, 'three')),
      { kind: 'older', messages: [message(1, 'one'), message(2, 'two')], more: false },
    ],
    shows: ['one', 'two', 'three'],
  },
  {
    title: 'promise 29: catching up after a long time offline shows everything once, in order',
    events: [
      loaded(message(1, '1')),
      arrived(message(4, '4')),
      arrived(...[2, 3, 4, 5].map((seq) => message(seq, String(seq)))),
    ],
    shows: ['1', '2', '3', '4', '5'],
  },
];

describe('a thread', () => {
  test.each(cases)('$title', ({ events, shows, returned }) => {
    const thread = events.reduce(threadReducer, emptyThread);
    expect(shown(thread)).toEqual(shows);
    expect(thread.returned?.message_text).toBe(returned);
  });

  test.each([
    ['nothing loaded', [arrived(message(3, 'x'))], undefined, false],
    ['an empty thread', [loaded()], 0, false],
    ['a whole thread', [loaded(message(1, 'x'), message(2, 'x'))], 2, false],
    [
      'the newest page of a long one',
      [{ kind: 'loaded', messages: [message(41, 'x'), message(42, 'x')], more: true }],
      42,
      false,
    ],
    ['a hole', [loaded(message(1, 'x'), message(2, 'x')), arrived(message(4, 'x'))], 2, true],
    ['a first message that was not the first', [loaded(), arrived(message(2, 'x'))], 0, true],
  ] as const)('asks after what it holds: %s', (_title, events, seq, gap) => {
    const thread = events.reduce<Thread>(threadReducer, emptyThread);
    expect(caughtUpTo(thread)).toBe(seq);
    expect(hasGap(thread)).toBe(gap);
  });
});
