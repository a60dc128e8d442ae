import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { categories } from './categories.ts';
import {
  busMessageSchema,
  channelFrameSchema,
  joinTopicSchema,
  toConversationTopic,
  toUserTopic,
} from './realtime.ts';

const createStringArbitrary = (maxLength: number) => fc.string({ maxLength });
const arbitraryFrame = fc.tuple(
  fc.option(createStringArbitrary(64)),
  fc.option(createStringArbitrary(64)),
  createStringArbitrary(128),
  createStringArbitrary(64),
  // JSON cannot represent negative zero, so values whose JSON contains "-0" are excluded.
  fc.jsonValue({ noUnicodeString: false }).filter((value) => !/-0\b/.test(JSON.stringify(value))),
);

describe('a frame', () => {
  test('is unchanged after being sent as JSON', () => {
    fc.assert(
      fc.property(arbitraryFrame, (frame) => {
        const sent = JSON.parse(JSON.stringify(frame));
        expect(channelFrameSchema.parse(sent)).toEqual(sent);
      }),
    );
  });

  test.each([
    [[null, '1', 'phoenix', 'heartbeat', {}], true],
    [['1', '1', 'user:1', 'phx_join', null], true],
    [['1', '1', 'a'.repeat(128), 'e'.repeat(64), {}], true],
    [['1'.repeat(65), '1', 'user:1', 'phx_join', {}], false],
    [['1', '1', 'a'.repeat(129), 'phx_join', {}], false],
    [['1', '1', 'user:1', 'e'.repeat(65), {}], false],
    [[1, '1', 'user:1', 'phx_join', {}], false],
    [['1', '1', 'user:1', 'phx_join', {}, 'more'], false],
    [['1', '1', 'user:1'], false],
    [{ topic: 'user:1', event: 'phx_join' }, false],
    ['phx_join', false],
    [null, false],
  ])('%j is accepted: %s', (frame, accepted) =>
    expect(channelFrameSchema.safeParse(frame).success).toBe(accepted),
  );

  test('any JSON is validated without an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => [channelFrameSchema.safeParse(value), joinTopicSchema.safeParse(value)]).not.toThrow();
      }),
    );
  });
});

test.each([
  [{ access_token: 'a' }, true],
  [{ access_token: 'a', after_seq: 0 }, true],
  [{ access_token: 'a', after_seq: 2 ** 31 - 1 }, true],
  [{ access_token: 'a', after_seq: -1 }, false],
  [{ access_token: 'a', after_seq: 0.5 }, false],
  [{ access_token: 'a', after_seq: '1' }, false],
  [{ access_token: 'a'.repeat(8192) }, true],
  [{ access_token: 'a'.repeat(8193) }, false],
  [{}, false],
])('a join with %j is accepted: %s', (payload, accepted) => {
  expect(joinTopicSchema.safeParse(payload).success).toBe(accepted);
});

test('an announcement is unchanged after being sent over the bus as JSON', () => {
  const id = fc.uuid();
  const announcements = fc.oneof(
    fc.record({ kind: fc.constant('message' as const), conversation_id: id, seq: fc.nat() }),
    fc.record({ kind: fc.constant('read' as const), conversation_id: id, user_id: id }),
    fc.record({ kind: fc.constant('sessions_ended' as const), user_id: id, session_ids: fc.array(id) }),
    fc.record({
      kind: fc.constant('pages_changed' as const),
      listing_ids: fc.array(id),
      user_ids: fc.array(id),
      categories: fc.subarray(categories),
    }),
  );
  fc.assert(
    fc.property(announcements, (announcement) => {
      expect(busMessageSchema.parse(JSON.parse(JSON.stringify(announcement)))).toEqual(announcement);
    }),
  );
  expect(busMessageSchema.safeParse({ kind: 'message', text: 'secret' }).success).toBe(false);
});

test('announcement kinds keep their names, so that servers of different versions understand each other', () => {
  const id = crypto.randomUUID();
  const released = [
    { kind: 'message', conversation_id: id, seq: 1 },
    { kind: 'unsent', conversation_id: id },
    { kind: 'read', conversation_id: id, user_id: id },
    { kind: 'typing', conversation_id: id, user_id: id },
    { kind: 'sessions_ended', user_id: id, session_ids: [id] },
    { kind: 'pages_changed', listing_ids: [id], user_ids: [id], categories: ['rentals'] },
    { kind: 'announcement_changed' },
    { kind: 'notified', user_ids: [id] },
  ];
  for (const announcement of released) expect(busMessageSchema.parse(announcement)).toEqual(announcement);
  expect(busMessageSchema.options).toHaveLength(released.length);
});

test('the topic of a conversation differs from that of a person with the same id', () => {
  expect([toConversationTopic('a'), toUserTopic('a')]).toEqual(['conversation:a', 'user:a']);
});
