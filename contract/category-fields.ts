import type { Campus, CampusMoney } from './campus.ts';
import type { Category } from './categories.ts';
import { formatPrice } from './prices.ts';
import { formatWeekdays } from './weekdays.ts';

/**
 * A field that listings of some categories have. Its owner may leave it empty. The form, the checks, the responses, the
 * facts on the page, the filters, saved searches, the data export, the console and the structured data follow from this
 * declaration, so a further field needs an entry here and a column.
 */
export type CategoryField = {
  /** The column of the database, which is also the name in responses and in the URL of a filtered page. */
  column: string;
  categories: readonly Category[];
  label: string;
  hint?: string;
  /** What the page says after the value. */
  note?: string;
  /** The error message for a value that the field does not accept. */
  sentence: string;
  /**
   * Whether lists can be filtered by it: by its exact value, or, for listings without one, also by the words of their texts.
   */
  filter?: 'equals' | 'words';
  /** The property of schema.org that has the value, and the type of things that have this property besides products. */
  schemaOrg?: { property: string; type?: string };
} & (
  | { input: 'text' | 'game'; maxLength: number }
  | { input: 'number'; min: number; max: number }
  | { input: 'price' }
  | {
      input: 'choice';
      options: Readonly<Record<string, string>>;
      /** The options that a campus in this country offers; by default all. */
      listOffered?: (country: string) => Readonly<Record<string, string>>;
    }
  | { input: 'isbn' | 'course' | 'weekdays' }
);

const clothingSizes = {
  xs: 'XS',
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
  xl: 'XL',
  xxl: 'XXL',
  'one-size': 'One size',
};

/** Returns the labels of shoe sizes from the smallest to the largest, by slug: `shoe-eu-42` is 'Shoe EU 42'. */
const createShoeSizes = (
  slug: string,
  [min, max]: readonly [number, number],
  step: number,
  toLabel: (size: number) => string,
): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: (max - min) / step + 1 }, (_, index) => min + index * step).map((size) => [
      `${slug}${size}`,
      `Shoe ${toLabel(size)}`,
    ]),
  );

const americanShoeSizes = {
  ...createShoeSizes('shoe-', [5, 11.5], 0.5, String),
  ...createShoeSizes('shoe-', [12, 14], 1, String),
};
const britishShoeSizes = createShoeSizes('shoe-uk-', [3, 13], 0.5, (size) => `UK ${size}`);
const europeanShoeSizes = createShoeSizes('shoe-eu-', [35, 50], 1, (size) => `EU ${size}`);
// The length of the foot.
const centimeterShoeSizes = createShoeSizes('shoe-cm-', [22, 31], 0.5, (size) => `${size} cm`);
const millimeterShoeSizes = createShoeSizes('shoe-mm-', [220, 310], 5, (size) => `${size} mm`);
const brazilianShoeSizes = createShoeSizes('shoe-br-', [33, 48], 1, (size) => `BR ${size}`);

/** The countries (ISO 3166) whose shoe sizes are not the European ones. */
const shoeSizesByCountry: Readonly<Record<string, Record<string, string>>> = {
  ...Object.fromEntries(['US', 'CA', 'PR', 'GU'].map((country) => [country, americanShoeSizes])),
  ...Object.fromEntries(['GB', 'IE', 'IN', 'AU', 'NZ', 'ZA'].map((country) => [country, britishShoeSizes])),
  JP: centimeterShoeSizes,
  MX: centimeterShoeSizes,
  KR: millimeterShoeSizes,
  BR: brazilianShoeSizes,
};

/** Labels of the sizes of clothes and shoes in all countries, by slug. */
export const sizeLabels: Readonly<Record<string, string>> = {
  ...clothingSizes,
  ...britishShoeSizes,
  ...europeanShoeSizes,
  ...centimeterShoeSizes,
  ...millimeterShoeSizes,
  ...brazilianShoeSizes,
  ...americanShoeSizes,
};

const book = { categories: ['textbooks'] } as const;
/** Maximum number of tickets in a listing. */
const maxTickets = 8;
const ticket = { categories: ['game-day'] } as const;
/** Maximum number of days of a rental. */
const maxRentalDays = 180;
const rental = { categories: ['rentals'] } as const;

/** The fields by their names in the form, in its order. */
export const categoryFields = {
  isbn: {
    ...book,
    column: 'isbn',
    label: 'ISBN',
    hint: 'The 10 or 13 digits at the bar code on the back.',
    sentence: 'This ISBN has a typo: check the digits',
    input: 'isbn',
    filter: 'equals',
    schemaOrg: { property: 'isbn', type: 'Book' },
  },
  authors: {
    ...book,
    column: 'authors',
    label: 'Authors',
    sentence: 'Authors must be at most 200 characters',
    input: 'text',
    maxLength: 200,
    schemaOrg: { property: 'author', type: 'Book' },
  },
  edition: {
    ...book,
    column: 'edition',
    label: 'Edition',
    sentence: 'Edition must be at most 40 characters',
    input: 'text',
    maxLength: 40,
    schemaOrg: { property: 'bookEdition', type: 'Book' },
  },
  publishedYear: {
    ...book,
    column: 'published_year',
    label: 'Year',
    sentence: 'Enter a year between 1450 and 2100',
    input: 'number',
    min: 1450,
    max: 2100,
    schemaOrg: { property: 'datePublished', type: 'Book' },
  },
  course: {
    ...book,
    column: 'course',
    label: 'Course',
    hint: 'For example MATH 125.',
    sentence: 'Enter the code of a course, for example MATH 125',
    input: 'course',
    filter: 'equals',
  },
  size: {
    categories: ['clothing', 'merchandise', 'trojan-merch'],
    column: 'size',
    label: 'Size',
    sentence: 'Please select a size',
    input: 'choice',
    options: sizeLabels,
    listOffered: (country) => ({ ...clothingSizes, ...(shoeSizesByCountry[country] ?? europeanShoeSizes) }),
    filter: 'words',
    schemaOrg: { property: 'size' },
  },
  eventName: {
    ...ticket,
    column: 'event_name',
    label: 'Game or event',
    hint: 'For tickets: who plays, or what it is.',
    sentence: 'Game or event must be at most 80 characters',
    input: 'game',
    maxLength: 80,
  },
  section: {
    ...ticket,
    column: 'section',
    label: 'Section',
    sentence: 'Section must be at most 20 characters',
    input: 'text',
    maxLength: 20,
  },
  seatRow: {
    ...ticket,
    column: 'seat_row',
    label: 'Row',
    sentence: 'Row must be at most 20 characters',
    input: 'text',
    maxLength: 20,
  },
  seats: {
    ...ticket,
    column: 'seats',
    label: 'Seats',
    hint: 'For example 12-14, or General admission.',
    sentence: 'Seats must be at most 60 characters',
    input: 'text',
    maxLength: 60,
  },
  ticketCount: {
    ...ticket,
    column: 'ticket_count',
    label: 'Number of tickets',
    sentence: `Enter a number from 1 to ${maxTickets}`,
    input: 'number',
    min: 1,
    max: maxTickets,
  },
  ticketSale: {
    ...ticket,
    column: 'ticket_sale',
    label: 'Sold',
    sentence: 'Please select how the tickets are sold',
    input: 'choice',
    options: { together: 'Together', singly: 'Singly' },
  },
  faceValue: {
    ...ticket,
    column: 'face_value',
    label: 'Face value',
    hint: 'Of one ticket if you sell them singly, otherwise of all of them.',
    sentence: 'Enter the face value in digits, for example 45 or 45.50',
    input: 'price',
  },
  ticketTransfer: {
    ...ticket,
    column: 'ticket_transfer',
    label: 'Transfer',
    hint: 'The name of the app, or in person.',
    sentence: 'Transfer must be at most 40 characters',
    input: 'text',
    maxLength: 40,
  },
  dayPrice: {
    ...rental,
    column: 'day_price',
    label: 'Price for a day',
    sentence: 'Enter the price for a day in digits, for example 15 or 15.50',
    input: 'price',
  },
  weekPrice: {
    ...rental,
    column: 'week_price',
    label: 'Price for a week',
    sentence: 'Enter the price for a week in digits, for example 60 or 60.50',
    input: 'price',
  },
  monthPrice: {
    ...rental,
    column: 'month_price',
    label: 'Price for a month',
    hint: 'A month is 30 days. The total is the cheapest combination.',
    sentence: 'Enter the price for a month in digits, for example 200 or 200.50',
    input: 'price',
  },
  minRentalDays: {
    ...rental,
    column: 'min_rental_days',
    label: 'Minimum days',
    sentence: `Enter a number of days from 1 to ${maxRentalDays}`,
    input: 'number',
    min: 1,
    max: maxRentalDays,
  },
  maxRentalDays: {
    ...rental,
    column: 'max_rental_days',
    label: 'Maximum days',
    sentence: `Enter a number of days from 1 to ${maxRentalDays}`,
    input: 'number',
    min: 1,
    max: maxRentalDays,
  },
  handoutDays: {
    ...rental,
    column: 'handout_days',
    label: 'Pick-up and return on',
    hint: 'None chosen means every day.',
    sentence: 'Please select weekdays',
    input: 'weekdays',
  },
  deposit: {
    ...rental,
    column: 'deposit',
    label: 'Deposit',
    hint: 'The renter gives it to you at pick-up and gets it back at return.',
    note: 'Quad holds no money',
    sentence: 'Enter the deposit in digits, for example 50 or 50.50',
    input: 'price',
  },
} as const satisfies Record<string, CategoryField>;

type CategoryFields = typeof categoryFields;
export type CategoryFieldName = keyof CategoryFields;

/** The value of a field with this declaration, if it has one. */
type ValueOf<Field> = Field extends { input: 'number' | 'price' }
  ? number
  : Field extends { input: 'choice'; options: infer Options }
    ? keyof Options & string
    : string;

/** The values of the fields by their names in the form. */
export type CategoryFieldValues = {
  [Name in CategoryFieldName]: ValueOf<CategoryFields[Name]> | null;
};

/** The values of the fields by their columns. */
export type CategoryColumns = {
  [Name in CategoryFieldName as CategoryFields[Name]['column']]: ValueOf<CategoryFields[Name]> | null;
};
export type CategoryColumn = keyof CategoryColumns;

/** The columns of free texts. */
export type CategoryTextColumn = {
  [Name in CategoryFieldName]: CategoryFields[Name] extends { maxLength: number }
    ? CategoryFields[Name]['column']
    : never;
}[CategoryFieldName];

type FilterFieldName = {
  [Name in CategoryFieldName]: CategoryFields[Name] extends { filter: string } ? Name : never;
}[CategoryFieldName];

/** The values by which lists can be filtered, by the columns of their fields. */
export type CategoryFilters = {
  [Name in FilterFieldName as CategoryFields[Name]['column']]?: ValueOf<CategoryFields[Name]> | undefined;
};
export type CategoryFilterColumn = keyof CategoryFilters;

/** A field by which lists can be filtered. */
export type CategoryFilterField = CategoryField & {
  column: CategoryFilterColumn;
  filter: 'equals' | 'words';
};

export const categoryFieldEntries = Object.entries(categoryFields) as [CategoryFieldName, CategoryField][];

export const categoryFieldNames = Object.keys(categoryFields) as CategoryFieldName[];

export const categoryFilterFields = categoryFieldEntries
  .map(([, field]) => field)
  .filter((field) => field.filter !== undefined) as CategoryFilterField[];

export const categoryTextColumns = categoryFieldEntries
  .filter(([, field]) => 'maxLength' in field)
  .map(([, { column }]) => column) as CategoryTextColumn[];

/** The columns whose texts searches read. */
export const categorySearchColumns = ['isbn', 'course', ...categoryTextColumns] as const;
export type CategorySearchColumn = (typeof categorySearchColumns)[number];

/** The name in the form of each column. */
export const categoryFieldByColumn = Object.fromEntries(
  categoryFieldEntries.map(([name, { column }]) => [column, name]),
) as Record<CategoryColumn, CategoryFieldName>;

export const categoryColumns = Object.keys(categoryFieldByColumn) as CategoryColumn[];

/** Whether listings of a category have a field. */
export const hasCategoryField = (
  category: string | null | undefined,
  { categories }: CategoryField,
): boolean => (categories as readonly (string | null | undefined)[]).includes(category);

/** Returns the fields of a category, in the order of the form. */
export const listCategoryFields = (
  category: string | null | undefined,
): [CategoryFieldName, CategoryField][] =>
  categoryFieldEntries.filter(([, field]) => hasCategoryField(category, field));

const rentalPriceFields = { day: 'dayPrice', week: 'weekPrice', month: 'monthPrice' } as const;

/** Returns the field with a further price for a period of rentals, or undefined when there is none for this period. */
export const findRentalPriceField = (period: unknown): CategoryFieldName | undefined =>
  rentalPriceFields[period as keyof typeof rentalPriceFields];

/**
 * Returns the options of a field that is a choice, by value: those that the campus offers, and the one that is chosen already.
 */
export const listChoices = (
  field: CategoryField & { input: 'choice' },
  { country }: Pick<Campus, 'country'>,
  chosen: unknown = '',
): Readonly<Record<string, string>> => {
  const offered = field.listOffered?.(country) ?? field.options;
  const label = field.options[String(chosen)];
  return label === undefined ? offered : { ...offered, [String(chosen)]: label };
};

/** Returns the text of a value, as the page shows it, or null when there is none. */
export const formatCategoryValue = (
  field: CategoryField,
  value: string | number | null | undefined,
  money: CampusMoney,
): string | null => {
  if (value === null || value === undefined || value === '') return null;
  if (field.input === 'price') return formatPrice(money, Number(value));
  if (field.input === 'weekdays') return formatWeekdays(String(value), money);
  return field.input === 'choice' ? (field.options[value] ?? null) : String(value);
};
