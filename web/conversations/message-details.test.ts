import { describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { phoneNotations } from '#contract/testing.ts';
import { findMoments, findPhoneNumbers, isLargeEmoji } from './message-details.ts';

test.each([
  ['Call (213) 555-0100.', '(213) 555-0100', '+12135550100'],
  ['213-555-0100 $40', '213-555-0100', '+12135550100'],
  ['+49 171 392 00 01 $20', '+49 171 392 00 01', '+491713920001'],
  ['213-555-0100 or', '213-555-0100', '+12135550100'],
  ['text 2135550100 please', '2135550100', '+12135550100'],
  ['12135550100', '12135550100', '+12135550100'],
  ['213.555.0100', '213.555.0100', '+12135550100'],
  ['1-213-555-0100', '1-213-555-0100', '+12135550100'],
  ['my number: +1 213 555 0100!', '+1 213 555 0100', '+12135550100'],
  ['+49 170 1234567, thanks', '+49 170 1234567', '+491701234567'],
])('the phone number in %j is found', (text, number, meaning) => {
  expect(findPhoneNumbers(text, defaultCampus)).toEqual([
    { index: text.indexOf(number), text: number, meaning },
  ]);
});

test.each([
  '$2135550100',
  '1135550100',
  '0306406152',
  'ISBN 3161484100',
  '9780306406157',
  'the years 20252026',
  'order 21355501001',
  '0-306-40615-2',
  '978-0-306-40615-7',
  '$1 000 000',
  '12-15 people',
  'order 123-456-78901',
  'https://example.com/213-555-0100',
  '2026-10-12 10:30',
  '+1 2',
])('%j has no phone number', (text) => {
  expect(findPhoneNumbers(text, defaultCampus)).toEqual([]);
});

test.each([
  ['Ruf an: 030 23125-123!', '030 23125-123', '+493023125123', phoneNotations.german],
  ['(030) 23125 123', '(030) 23125 123', '+493023125123', phoneNotations.german],
  ['0171/3920 001', '0171/3920 001', '+491713920001', phoneNotations.german],
  ['01713920001.', '01713920001', '+491713920001', phoneNotations.german],
  ['015123456789 ab 18 Uhr', '015123456789', '+4915123456789', phoneNotations.german],
  ['0170 1234567', '0170 1234567', '+491701234567', phoneNotations.german],
  ['0151 123 456 78', '0151 123 456 78', '+4915112345678', phoneNotations.german],
  ['09012345678', '09012345678', '+819012345678', phoneNotations.japanese],
  ['0791234567', '0791234567', '+41791234567', phoneNotations.swiss],
  ['06301234567', '06301234567', '+36301234567', phoneNotations.hungarian],
  ['89123456789', '89123456789', '+79123456789', phoneNotations.russian],
  ['612345678', '612345678', '+34612345678', phoneNotations.spanish],
  ['3331234568', '3331234568', '+393331234568', phoneNotations.italian],
  ['333 123456', '333 123456', '+39333123456', phoneNotations.italian],
  ['20412345', '20412345', '+4520412345', phoneNotations.danish],
  ['11961234567', '11961234567', '+5511961234567', phoneNotations.brazilian],
  ['0612345678', '0612345678', '+33612345678', phoneNotations.french],
  ['+1 213 555 0100', '+1 213 555 0100', '+12135550100', phoneNotations.german],
  ['03-0000-0001 please', '03-0000-0001', '+81300000001', phoneNotations.japanese],
  ['090-0000-0001', '090-0000-0001', '+819000000001', phoneNotations.japanese],
  ['Tel. 044 668 18 00', '044 668 18 00', '+41446681800', phoneNotations.swiss],
  ['06 30 123 4567, ok?', '06 30 123 4567', '+36301234567', phoneNotations.hungarian],
  ['06 (30) 123-4567', '06 (30) 123-4567', '+36301234567', phoneNotations.hungarian],
  ['06 30 1234567', '06 30 1234567', '+36301234567', phoneNotations.hungarian],
  ['06 30 2012345', '06 30 2012345', '+36302012345', phoneNotations.hungarian],
  ['8 912 3456789', '8 912 3456789', '+79123456789', phoneNotations.russian],
  ['8 (912) 345-67-89', '8 (912) 345-67-89', '+79123456789', phoneNotations.russian],
  ['0171 392 00 01 €20', '0171 392 00 01', '+491713920001', phoneNotations.german],
  ['40 € 0171 3920001', '0171 3920001', '+491713920001', phoneNotations.german],
  ['030 123 456', '030 123 456', '+4930123456', phoneNotations.german],
  ['090-1234-5678 ¥3000', '090-1234-5678', '+819012345678', phoneNotations.japanese],
  ['612 345 678', '612 345 678', '+34612345678', phoneNotations.spanish],
  ['601 234 567', '601 234 567', '+420601234567', phoneNotations.czech],
  ['llama al 612 34 56 78', '612 34 56 78', '+34612345678', phoneNotations.spanish],
  ['612-345-678.', '612-345-678', '+34612345678', phoneNotations.spanish],
  ['612 345678', '612 345678', '+34612345678', phoneNotations.spanish],
  ['333 1234567', '333 1234567', '+393331234567', phoneNotations.italian],
  ['210 1234567', '210 1234567', '+302101234567', phoneNotations.greek],
  ['06 1234 5678', '06 1234 5678', '+390612345678', phoneNotations.italian],
  ['ring 34 41 23 45 !', '34 41 23 45', '+4534412345', phoneNotations.danish],
  ['(11) 96123-4567', '(11) 96123-4567', '+5511961234567', phoneNotations.brazilian],
])('the phone number in %j is found on a campus elsewhere', (text, number, meaning, campus) => {
  expect(findPhoneNumbers(text, campus)).toEqual([{ index: text.indexOf(number), text: number, meaning }]);
});

test.each([
  '05.12.2026 18:30',
  '05-12-2026',
  '0-306-40615-2',
  '978-0-306-40615-7',
  '0,50 €',
  '0123456789',
  '3161484100',
  '9783161484100',
  'DE89370400440532013000',
  '213-555-0100',
  'from 08:00 to 09:30',
  'https://example.com/030-23125-123',
])('%j has no phone number on a German campus', (text) => {
  expect(findPhoneNumbers(text, phoneNotations.german)).toEqual([]);
});

test.each([
  ['812345678', phoneNotations.spanish],
  ['612345678 €', phoneNotations.spanish],
  ['€612345678', phoneNotations.spanish],
  ['8804668237', phoneNotations.italian],
  ['88-04-66823-7', phoneNotations.italian],
  ['0306406152', phoneNotations.french],
  ['20252026', phoneNotations.danish],
  ['24122026', phoneNotations.danish],
  ['20261224', phoneNotations.danish],
  ['100-150 000 Kč', phoneNotations.czech],
  ['5 000-15 000 Kč', phoneNotations.czech],
  ['612 345 678 €', phoneNotations.spanish],
  ['€ 612 345 678', phoneNotations.spanish],
  ['1 200 000', phoneNotations.spanish],
  ['84-376-0494-7', phoneNotations.spanish],
  ['978-84-376-0494-7', phoneNotations.spanish],
  ['pedido 612-345-6789', phoneNotations.spanish],
  ['+34 612', phoneNotations.spanish],
  ['12 000 000 kr', phoneNotations.danish],
  ['24.12.2026 18:30', phoneNotations.danish],
  ['24-12-2026', phoneNotations.danish],
  ['2026-12-24', phoneNotations.danish],
  ['2025-2026', phoneNotations.danish],
  ['10:30 - 12:45', phoneNotations.danish],
  ['1000-1500 kr', phoneNotations.danish],
  ['pages 1000-1200', phoneNotations.danish],
  ['https://example.com/34-41-23-45', phoneNotations.danish],
  ['30 123 4567', phoneNotations.hungarian],
  ['912 345-67-89', phoneNotations.russian],
] as const)('%j has no phone number on a campus where they do not begin with 0', (text, campus) => {
  expect(findPhoneNumbers(text, campus)).toEqual([]);
});

describe('days with a time', () => {
  // A Wednesday, late in the evening on the campus.
  const sentAt = '2026-10-15T04:00:00.000Z';
  test.each([
    ['Today at 3pm?', 'Today at 3pm', '2026-10-14', '15:00'],
    ['how about tomorrow 5:30 PM', 'tomorrow 5:30 PM', '2026-10-15', '17:30'],
    ['Friday at 3 pm works', 'Friday at 3 pm', '2026-10-16', '15:00'],
    ['Fri, 12am', 'Fri, 12am', '2026-10-16', '00:00'],
    ['Wednesday @ noon', 'Wednesday @ noon', '2026-10-14', '12:00'],
    ['Tue around 9:15 a.m.', 'Tue around 9:15 a.m', '2026-10-20', '09:15'],
    ['Oct 20 at 15:30', 'Oct 20 at 15:30', '2026-10-20', '15:30'],
    ['Tuesday, October 20th, 2026, 3pm', 'Tuesday, October 20th, 2026, 3pm', '2026-10-20', '15:00'],
    ['Jan 5 at 10am', 'Jan 5 at 10am', '2027-01-05', '10:00'],
    ['2026-11-01 09:00', '2026-11-01 09:00', '2026-11-01', '09:00'],
  ])('%j', (text, found, day, time) => {
    const [moment] = findMoments(text, sentAt, defaultCampus);
    expect(moment).toEqual({ index: text.indexOf(found), text: found, meaning: { day, time } });
  });

  test.each([
    'Friday',
    'Friday at 3',
    'next Friday at 3pm',
    'Feb 30 at 3pm',
    'Friday at 13pm',
    'we sat at 3pm',
    'Sat at 25:00',
    'Monday 2 tickets',
    '10/12 at 3pm',
    'monfri 3pm',
  ])('%j could mean something else', (text) => {
    expect(findMoments(text, sentAt, defaultCampus)).toEqual([]);
  });
});

test.each([
  ['👍', true],
  ['👍🏽👋🏿', true],
  ['👩‍👩‍👧‍👦 🏳️‍🌈 🇺🇸', true],
  ['❤️', true],
  ['1️⃣', true],
  ['😀😀😀😀', false],
  ['ok 👍', false],
  ['12', false],
  ['©', false],
  ['', false],
])('%j is displayed large: %s', (text, large) => {
  expect(isLargeEmoji(text)).toBe(large);
});
