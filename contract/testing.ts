import { type Campus, defaultCampus } from './campus.ts';
import { type CategoryField, categoryFieldEntries } from './category-fields.ts';
import type { DealEventLine } from './deal-event-lines.ts';
import type { Deal } from './deals.ts';

const id = '6a2c8f0e-8b0f-4f0e-9a54-0c8a52f4b1aa';

/** Creates a deal for tests: by default, an offer of $110 that the seller can answer. */
export const createDeal = (change: Partial<Deal> = {}): Deal => ({
  id,
  listing_id: id,
  conversation_id: id,
  buyer_id: id,
  seller_id: id,
  other: null,
  kind: 'sale',
  state: 'offered',
  turn: 'seller',
  title: 'Desk lamp',
  price: 110,
  first_day: null,
  last_day: null,
  deadline_at: '2026-11-24T17:00:00.000Z',
  waiting: false,
  position: null,
  handover: null,
  requested_last_day: null,
  item_overdue: false,
  transitions: [],
  created_at: '2026-11-22T17:00:00.000Z',
  updated_at: '2026-11-22T17:00:00.000Z',
  ...change,
});

/** Creates the handover of a deal for tests: by default, a place without a time. */
export const createHandover = (
  change: Partial<NonNullable<Deal['handover']>> = {},
): NonNullable<Deal['handover']> => ({
  spot_id: null,
  place: 'Library',
  time: null,
  agreed: false,
  proposal: null,
  ...change,
});

/** Creates the data of an event line for tests: by default, an offer of $110 by the buyer. */
export const createDealEventLine = (changes: Partial<DealEventLine> = {}): DealEventLine => ({
  deal_id: 'a4c7c1a2-7b0e-4f0e-9f3c-2d3a1f5b6c7d',
  number: 1,
  transition: 'offer',
  by: 'buyer',
  kind: 'sale',
  from: null,
  state: 'offered',
  turn: 'seller',
  price: 110,
  first_day: null,
  last_day: null,
  requested_last_day: null,
  deadline_at: '2026-03-05T02:30:00.000Z',
  place: null,
  times: [],
  time: null,
  reason: null,
  cause: null,
  ...changes,
});

/** Returns one of two different valid values of a field of a category, as its column stores them. */
export const createCategoryValue = (field: CategoryField, variant: 0 | 1 = 0): string | number => {
  switch (field.input) {
    case 'text':
    case 'game':
      return `${field.label} ${variant + 1}`;
    case 'number':
      return field.min + variant + 1;
    case 'price':
      return 40 + variant;
    case 'choice':
      return Object.keys(field.options).at(-1 - variant) ?? '';
    case 'isbn':
      return ['9780131103627', '9780262033848'][variant] ?? '';
    case 'course':
      return ['MATH 125', 'CSCI 104'][variant] ?? '';
    case 'weekdays':
      return ['135', '67'][variant] ?? '';
  }
};

/** Returns a valid value of each field of the categories, by its name in the form or by its column. */
export const createCategoryValues = (by: 'name' | 'column', variant: 0 | 1 = 0) =>
  Object.fromEntries(
    categoryFieldEntries.map(([name, field]) => [
      by === 'name' ? name : field.column,
      createCategoryValue(field, variant),
    ]),
  );

/** Returns a value that a field of a category does not accept. */
export const createInvalidCategoryValue = (field: CategoryField): string => {
  switch (field.input) {
    case 'text':
    case 'game':
      return 'a'.repeat(field.maxLength + 1);
    case 'price':
      return '-1';
    case 'number':
      return String(field.max + 1);
    case 'choice':
      return 'no such choice';
    case 'isbn':
      return '9780131103628';
    case 'course':
      return '!';
    case 'weekdays':
      return '8';
  }
};

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const foreignForms = {
  'de-DE': [
    /\$/g,
    /\d,\d{3}/g,
    /\d\.\d{2}(?!\d)/g,
    /\d\s[AP]M\b/g,
    /\d%(?![\dA-F])/g,
    new RegExp(`\\b(?:${months})[a-z]* \\d{1,2}\\b`, 'g'),
  ],
  'ja-JP': [
    /\$/g,
    /\d\.\d{2}(?!\d)/g,
    /\d\s[AP]M\b/g,
    /\d\s%/g,
    new RegExp(`\\b\\d{1,2} (?:${months})[a-z]*\\b`, 'g'),
  ],
};

/** Returns the prices, numbers, dates and times of a text that are not written as usual in a locale. */
export const findForeignForms = (locale: keyof typeof foreignForms, text: string): string[] =>
  foreignForms[locale].flatMap((form) => text.match(form) ?? []);

/** Campuses whose locale writes with a comma, and whose currency has no decimals. */
export const foreignCampuses = {
  'de-DE': { ...defaultCampus, locale: 'de-DE', currency: 'EUR', country: 'DE', timezone: 'Europe/Berlin' },
  'ja-JP': {
    ...defaultCampus,
    ...{ locale: 'ja-JP', currency: 'JPY', priceScale: 100, country: 'JP', timezone: 'Asia/Tokyo' },
  },
} satisfies Record<keyof typeof foreignForms, Campus>;

/** How numbers of some countries are written. A test of the server compares them with the metadata of libphonenumber. */
export const phoneNotations = {
  german: {
    country: 'DE',
    callingCode: '49',
    trunkPrefix: '0',
    phoneDigits: 11,
    mobilePattern: String.raw`1(?:6[023]|7\d)\d{7,8}|15(?:[0-25-9]\d\d|3(?:10|33)|410)\d{6}`,
  },
  japanese: {
    country: 'JP',
    callingCode: '81',
    trunkPrefix: '0',
    phoneDigits: 10,
    mobilePattern: String.raw`[6-9]0[1-9]\d{7}`,
  },
  swiss: {
    country: 'CH',
    callingCode: '41',
    trunkPrefix: '0',
    phoneDigits: 9,
    mobilePattern: String.raw`(?:6[89]|7[235-9])\d{7}`,
  },
  hungarian: {
    country: 'HU',
    callingCode: '36',
    trunkPrefix: '06',
    phoneDigits: 9,
    mobilePattern: String.raw`(?:[257]0|3[01])\d{7}`,
  },
  russian: {
    country: 'RU',
    callingCode: '7',
    trunkPrefix: '8',
    phoneDigits: 10,
    mobilePattern: String.raw`9(?:[0-24-9]\d{4}|3(?:0(?:0(?:05|[124579]\d|3[0-7]|6[0-49]|8[04-9])|[1-9]\d\d)|[1-9]\d{3}))\d{4}`,
  },
  spanish: {
    country: 'ES',
    callingCode: '34',
    trunkPrefix: '',
    phoneDigits: 9,
    mobilePattern: String.raw`9(?:6906(?:09|10)|7390\d\d)\d\d|(?:6\d|7[1-48])\d{7}`,
  },
  italian: {
    country: 'IT',
    callingCode: '39',
    trunkPrefix: '',
    phoneDigits: 10,
    mobilePattern: String.raw`3[2-9]\d{7,8}|(?:31|43)\d{8}`,
  },
  greek: {
    country: 'GR',
    callingCode: '30',
    trunkPrefix: '',
    phoneDigits: 10,
    mobilePattern: String.raw`68[57-9]\d{7}|(?:69|94)\d{8}`,
  },
  danish: {
    country: 'DK',
    callingCode: '45',
    trunkPrefix: '',
    phoneDigits: 8,
    mobilePattern: String.raw`(?:2[6-8]|6[78]|96)\d{6}|(?:2[0-59]|3[0-689]|[457]\d|6[0-69]|8[126-9]|9[1-47-9])[1-9]\d{5}`,
  },
  brazilian: {
    country: 'BR',
    callingCode: '55',
    trunkPrefix: '',
    phoneDigits: 11,
    mobilePattern: String.raw`(?:[14689][1-9]|2[12478]|3[1-578]|5[13-5]|7[13-579])(?:7|9\d)\d{7}`,
  },
  czech: {
    country: 'CZ',
    callingCode: '420',
    trunkPrefix: '',
    phoneDigits: 9,
    mobilePattern: String.raw`7060\d{5}|(?:60[1-8]|7(?:0[2-5]|19|[2379]\d))\d{6}`,
  },
  french: {
    country: 'FR',
    callingCode: '33',
    trunkPrefix: '0',
    phoneDigits: 9,
    mobilePattern: String.raw`(?:6(?:[0-24-8]\d|3[0-8]|9[589])|7[3-9]\d)\d{6}`,
  },
} as const;
