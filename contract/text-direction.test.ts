import { describe, expect, it, test } from 'vitest';
import { defaultCampus as campus } from './campus.ts';
import { findDealAlert } from './deal-alerts.ts';
import { type EventLine, formatEventLine } from './deal-event-lines.ts';
import { dealKinds, dealStates } from './deal-states.ts';
import { describeDeal } from './deal-status.ts';
import { type DealTransition, type DealTransitionName, dealTransitions } from './deal-transitions.ts';
import { createDeal, createDealEventLine, createHandover } from './testing.ts';
import { isolateDirection } from './text-direction.ts';

describe('isolateDirection', () => {
  it.each(['שולחן', 'طاولة', 'Desk שולחן', 'ޑެސްކް'])('encloses the right-to-left text %s', (text) => {
    expect(isolateDirection(text)).toBe(`\u2068${text}\u2069`);
  });

  it.each(['', 'Desk', 'Bücherregal', '书桌', 'โต๊ะ', '$25 (or 2 for $40)'])('leaves %j as it is', (text) => {
    expect(isolateDirection(text)).toBe(text);
  });
});

const written = 'שולחן 2';
const removeIsolated = (text: string): string => text.replaceAll(/\u2068[^\u2068\u2069]*\u2069/g, '');
const options = { otherName: written, campus };
const parties = ['buyer', 'seller'] as const;

test('every event line isolates the names, places, reasons and titles in it', () => {
  const transitions = dealTransitions.flatMap(({ name, from, kinds = dealKinds }: DealTransition) =>
    kinds.flatMap((kind) =>
      from.map((state) =>
        createDealEventLine({
          transition: name as DealTransitionName,
          from: state,
          kind,
          place: written,
          reason: written,
        }),
      ),
    ),
  );
  const changes = [{ field: 'title' as const, before: written, after: `${written}!` }];
  const others: EventLine[] = [
    { deal_id: transitions[0]?.deal_id ?? '', listing_changes: changes },
    { sale_outcome: 'sold', listing_changes: [] },
  ];
  const sentences = [...transitions, ...others].flatMap((line) =>
    ([...parties, 'anyone'] as const).map((reader) => formatEventLine(line, reader, options)),
  );
  expect(sentences.filter((it) => it.includes(`\u2068${written}`)).length).toBeGreaterThan(20);
  expect(sentences.map(removeIsolated).join()).not.toMatch(/\p{Script=Hebrew}/u);
});

test('the state of a deal and the questions about it isolate the name of the other person', () => {
  const [now, time] = [new Date('2026-11-23T21:00:00.000Z'), '2026-11-23T17:00:00.000Z'];
  const handovers = [null, createHandover({ place: written, time, agreed: true })];
  const deals = dealStates.flatMap((state) =>
    dealKinds.flatMap((kind) => handovers.map((handover) => createDeal({ state, kind, handover }))),
  );
  const sentences = deals.flatMap((deal) =>
    parties.flatMap((party) => [
      ...Object.values(describeDeal(deal, party, { ...options, now })),
      ...Object.values(findDealAlert(deal, party, { ...options, now }) ?? {}),
    ]),
  );
  const texts = sentences.map((it) => JSON.stringify(it ?? ''));
  expect(texts.filter((it) => it.includes(written)).length).toBeGreaterThan(20);
  expect(texts.map(removeIsolated).join()).not.toMatch(/\p{Script=Hebrew}/u);
});
