import { describe, expect, test } from 'vitest';
import { categories } from './categories.ts';
import { messageTextSchema } from './conversations.ts';
import { type FirstQuestion, listFirstAnswers, listFirstQuestions } from './first-words.ts';

describe('first questions', () => {
  test.each([...categories, null])('%s has two or three different ones, which can be sent', (category) => {
    for (const isOnHold of [false, true]) {
      const questions = listFirstQuestions({ category, isOnHold });
      expect(questions.length).toBeGreaterThanOrEqual(2);
      expect(questions.length).toBeLessThanOrEqual(3);
      expect(new Set(questions).size).toBe(questions.length);
      for (const question of questions) expect(messageTextSchema.parse(question)).toBe(question);
    }
  });

  test('fit the category, and an item that is on hold', () => {
    expect(listFirstQuestions({ category: 'furniture' })).toEqual([
      'Is this still available?',
      'Could we meet this week?',
      'Can you tell me its size?',
    ]);
    expect(listFirstQuestions({ category: 'rentals' })).toContain('Which days is it free?');
    expect(listFirstQuestions({ category: 'furniture', isOnHold: true })).toContain(
      'Could you tell me if it becomes available?',
    );
  });
});

describe('answers to the first question', () => {
  const question: FirstQuestion = {
    text: 'Is this still available?',
    category: 'furniture',
    outcome: null,
    available: true,
    deal: null,
  };
  const offer = { state: 'offered', turn: 'seller', waiting: false } as const;
  test.each<[string, Partial<FirstQuestion>, ReturnType<typeof listFirstAnswers>]>([
    [
      'whether it is available',
      {},
      { answers: ['Yes, it is', "It's on hold", "Sorry, it's sold"], step: 'mark_sold' },
    ],
    [
      'an offer that the seller has to answer',
      { deal: offer },
      { answers: ['Yes, it is', "It's on hold", "Sorry, it's sold"], step: 'accept' },
    ],
    [
      'an offer that the buyer has to answer',
      { deal: { ...offer, turn: 'buyer' } },
      { answers: ['Yes, it is', "It's on hold", "Sorry, it's sold"] },
    ],
    [
      'an offer that waits, because the item is on hold for somebody else',
      { deal: { ...offer, turn: null, waiting: true } },
      { answers: ["It's on hold", "Sorry, it's sold"] },
    ],
    ['an item that is on hold for the buyer', { deal: { ...offer, state: 'held' } }, { answers: [] }],
    ['an item that is sold', { outcome: 'sold', available: false }, { answers: ["Sorry, it's sold"] }],
    [
      'a free item',
      { category: 'free' },
      { answers: ['Yes, it is', "It's on hold", "Sorry, it's gone"], step: 'mark_sold' },
    ],
    [
      'when to meet',
      { text: 'Could we meet this week?' },
      { answers: ['Yes, when works for you?', "It's on hold", "Sorry, it's sold"], step: 'mark_sold' },
    ],
    [
      'something else',
      { text: 'Which edition is it?' },
      { answers: ["It's on hold", "Sorry, it's sold"], step: 'mark_sold' },
    ],
    ['nothing', { text: 'I like your desk' }, { answers: [] }],
  ])('fit a message about %s', (_, changes, expected) => {
    expect(listFirstAnswers({ ...question, ...changes })).toEqual(expected);
  });
});
