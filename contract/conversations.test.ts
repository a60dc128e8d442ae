import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatTooManyConversationsMessage,
  messageQuerySchema,
  messageTextSchema,
  messagingErrorMessages,
} from './conversations.ts';
import { inboxQuerySchema } from './inbox.ts';

describe('the message text', () => {
  test.each([
    ['', messagingErrorMessages.empty],
    [' \n\u200B\u202E ', messagingErrorMessages.empty],
    ['a', undefined],
    ['😀'.repeat(2000), undefined],
    ['😀'.repeat(2001), messagingErrorMessages.long],
    [null, messagingErrorMessages.empty],
  ])('%j gets the error message %s', (text, sentence) => {
    expect(messageTextSchema.safeParse(text).error?.issues[0]?.message).toBe(sentence);
  });

  test('does not change when it is normalized again, so that a retry sends the same message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const { data } = messageTextSchema.safeParse(text);
        if (data !== undefined) expect(messageTextSchema.parse(data)).toBe(data);
      }),
    );
  });
});

describe('the query for messages', () => {
  test.each([
    [{}, { limit: 50 }],
    [{ limit: '1' }, { limit: 1 }],
    [
      { limit: '500', after_seq: '0' },
      { limit: 500, after_seq: 0 },
    ],
    [{ before_seq: '1' }, { limit: 50, before_seq: 1 }],
    [{ limit: '0' }, undefined],
    [{ limit: '501' }, undefined],
    [{ after_seq: '-1' }, undefined],
    [{ before_seq: '0' }, undefined],
    [{ after_seq: '1.5' }, undefined],
    [{ after_seq: 'newest' }, undefined],
    [{ after_seq: '9007199254740993' }, undefined],
  ])('%j is parsed as %j', (query, read) => expect(messageQuerySchema.safeParse(query).data).toEqual(read));

  test('never throws, and accepts only safe integers and limits from 1 to 500', () => {
    const value = fc.oneof(fc.string(), fc.array(fc.string()), fc.integer().map(String));
    fc.assert(
      fc.property(fc.record({ after_seq: value, limit: value }, { requiredKeys: [] }), (query) => {
        const { data } = messageQuerySchema.safeParse(query);
        if (!data) return;
        expect(Number.isSafeInteger(data.limit) && data.limit >= 1 && data.limit <= 500).toBe(true);
        expect(Number.isSafeInteger(data.after_seq ?? 0)).toBe(true);
      }),
    );
  });
});

test('a cursor of the inbox has at most 200 characters', () => {
  expect(inboxQuerySchema.safeParse({ cursor: 'a'.repeat(200) }).success).toBe(true);
  expect(inboxQuerySchema.safeParse({ cursor: 'a'.repeat(201) }).success).toBe(false);
  expect(inboxQuerySchema.parse({})).toEqual({ tab: 'all' });
  expect(inboxQuerySchema.safeParse({ q: 'a'.repeat(10_000) }).error?.issues[0]?.message).toBe(
    'Please search for something shorter',
  );
});

test('the error message for too many new conversations states how long to wait', () => {
  expect(formatTooManyConversationsMessage(3 * 3600)).toBe(
    "You've started a lot of conversations. You can start another one in 3 hours.",
  );
});
