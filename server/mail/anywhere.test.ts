import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { describeDeal } from '#contract/deal-status.ts';
import { createDeal, findForeignForms } from '#contract/testing.ts';
import { listTermChanges } from '#server/features/deals/listing-changes.ts';
import { renderCalendar } from '#server/features/handovers/public.ts';
import { renderNotification } from '#server/features/notifications/texts.ts';
import { type DealNoticeKind, renderDealNoticeContent } from './deal-notice-email.ts';
import { layOutEmail, renderEmail } from './templates.ts';

const to = 'reader@usc.edu';
const time = '2026-11-24T17:30:00.000Z';
const conversationId = '6a2c8f0e-8b0f-4f0e-9a54-0c8a52f4b1aa';
const people = { readerName: 'Ada', otherName: 'Sam', conversationId, title: 'Desk', place: 'Library' };
const kinds: DealNoticeKind[] = [
  'offer_ending',
  'hold_ending',
  'handover_day',
  'handover_hour',
  'did_you_meet',
  'overdue',
  'item_not_back',
];

test.each([
  ['de-DE', 'EUR', '1.234,50 €', 'Tue 24 Nov, 18:30', 1234.5],
  ['ja-JP', 'JPY', '¥123,400', 'Wed, Nov 25, 02:30', 123_400],
] as const)(
  'promise 113: emails, notifications, calendar files and deals in %s and %s contain no other form',
  (locale, currency, price, moment, amount) => {
    const timezone = locale === 'de-DE' ? 'Europe/Berlin' : 'Asia/Tokyo';
    const campus = { ...defaultCampus, locale, currency, timezone };
    const context = { campus, publicUrl: 'https://quad.example' };
    const notices = kinds.map((kind) => ({
      ...people,
      kind,
      reader: 'buyer' as const,
      dealKind: 'rental' as const,
      deadline: time,
      time,
      firstDay: '2026-11-24',
      lastDay: '2026-11-26',
      longerHoldHours: 48,
      transitions: [],
    }));
    const deal = createDeal({ price: amount, deadline_at: time, turn: 'seller' });
    const status = describeDeal(deal, 'seller', { otherName: 'Sam', campus, now: new Date('2026-11-20') });
    const dropped = renderNotification(
      {
        event: 'price_dropped',
        title: 'Desk',
        slug: 'desk',
        facts: { price: amount, lowest_before: amount * 2 },
      } as never,
      'reader',
      campus,
    );
    const terms = {
      title: 'Desk',
      rental_period: 'flexible',
      condition: 'good',
      location: 'Library',
      photos: [],
      description: '',
    };
    const changes = listTermChanges(
      { ...terms, price: amount, game_date: '2026-11-24' } as never,
      { ...terms, price: amount * 2, game_date: '2026-11-25' } as never,
      campus,
    );
    const texts = [
      ...notices.map((notice) =>
        layOutEmail(to, renderDealNoticeContent({ readerName: 'Ada', notices: [notice] }, context), campus),
      ),
      renderEmail(
        {
          ...people,
          kind: 'handover',
          to,
          reader: 'buyer',
          time,
          terms: '',
          news: 'agreed',
          calendar: '',
        } as never,
        context,
      ),
      status,
      dropped,
      changes,
      renderCalendar(
        [
          {
            dealId: conversationId,
            conversationId,
            sequence: 1,
            isCancelled: false,
            title: 'Desk',
            place: 'Library',
            landmark: null,
            time: new Date(time),
            changedAt: new Date(time),
          },
        ],
        context as never,
      ),
    ].map((it) => JSON.stringify(it).replace(/[\u00a0\u202f]/g, ' '));
    const all = texts.join('\n');
    expect(all).toContain(price);
    expect(all).toContain(moment);
    // Pictures and styles of emails are no texts of people.
    const read = all.replace(/<style[\s\S]*?<\/style>|style=\\"[^"]*"/g, '');
    expect(findForeignForms(locale, read)).toEqual([]);
  },
);
