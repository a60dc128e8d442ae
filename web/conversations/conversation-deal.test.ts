import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import type { ConversationDeal } from '#contract/conversations.ts';
import { describeConversationDeal } from './conversation-deal.ts';

const now = new Date('2026-11-27T18:00:00.000Z');
const describe = (changes: Partial<ConversationDeal>, askingPrice: number | null = 30) => {
  const deal: ConversationDeal = {
    kind: 'sale',
    state: 'offered',
    turn: 'seller',
    price: 22,
    last_day: null,
    waiting: false,
    handover_at: null,
    handover_proposed_by: null,
    ...changes,
  };
  return (['buyer', 'seller'] as const).map((party) => {
    const { isOwnTurn, text } = describeConversationDeal(deal, party, {
      askingPrice,
      campus: defaultCampus,
      now,
    });
    return isOwnTurn ? `Your turn: ${text}` : text;
  });
};

test.each<[Partial<ConversationDeal>, string, string]>([
  [{}, 'Offer · $22 / $30', 'Your turn: $22 / $30'],
  [{ turn: 'buyer' }, 'Your turn: $22 / $30', 'Offer · $22 / $30'],
  [{ price: 30 }, 'Offer · $30', 'Your turn: $30'],
  [{ waiting: true, turn: null }, 'Waiting · $22 / $30', 'Waiting · $22 / $30'],
  [{ kind: 'gift', price: 0 }, 'Request', 'Your turn: Request'],
  [{ kind: 'rental', price: 60 }, 'Offer · $60', 'Your turn: $60'],
  [{ state: 'held', turn: null }, 'Held · $22 / $30', 'Held · $22 / $30'],
  [{ state: 'held', turn: null, kind: 'gift', price: 0 }, 'Held', 'Held'],
  [{ state: 'held', handover_at: '2026-11-29T20:00:00.000Z' }, 'Held · Sun 12 PM', 'Held · Sun 12 PM'],
  [{ state: 'held', handover_proposed_by: 'buyer' }, 'Held · $22 / $30', 'Your turn: Choose a time'],
  [{ state: 'handed_over' }, 'Your turn: Do you have it?', 'Handed over'],
  [{ state: 'out', kind: 'rental', last_day: '2026-12-02' }, 'Rented until Dec 2', 'Rented until Dec 2'],
  [
    { state: 'out', kind: 'rental', last_day: '2026-12-02', return_time: '12:00' },
    'Rented until Dec 2, 12:00 PM',
    'Rented until Dec 2, 12:00 PM',
  ],
  [{ state: 'back', kind: 'rental' }, 'Returned', 'Your turn: Is it back?'],
])('a deal with %j reads "%s" to the buyer and "%s" to the seller', (deal, buyer, seller) => {
  expect(describe(deal)).toEqual([buyer, seller]);
});

test('the asking price of a listing that is not available is left out', () => {
  expect(describe({}, null)).toEqual(['Offer · $22', 'Your turn: $22']);
});
