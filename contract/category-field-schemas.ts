import { z } from 'zod';
import type { CampusPrices } from './campus.ts';
import {
  type CategoryColumns,
  type CategoryField,
  type CategoryFieldValues,
  type CategoryFilters,
  categoryFieldEntries,
  categoryFields,
} from './category-fields.ts';
import { parseIsbn } from './isbn.ts';
import { formatPriceExamples } from './price-fields.ts';
import { getMaxPrice, hasPriceDecimals } from './price-limits.ts';
import { priceTextToNumber } from './price-text.ts';
import { blankToNull, createSingleLineTextSchema, createStorableTextSchema, normalizeLine } from './text.ts';

const maxCourseLength = 20;
const maxTypedLength = 60;

/** Matches the subject and the number of a course, as in "math125" and "MATH 125L". */
const coursePattern = /^([\p{L}&]{2,8})[ -]?(\d{1,4}[\p{L}\d]{0,3})$/u;
const courseCharacters = /^[\p{L}\p{N}][\p{L}\p{N} .&/-]*$/u;

/** Returns the code of a course in the form in which it is stored and compared: "MATH 125". */
export const normalizeCourse = (text: string): string =>
  normalizeLine(text).toUpperCase().replace(coursePattern, '$1 $2');

type PriceField = Extract<CategoryField, { input: 'price' }>;
type OtherField = Exclude<CategoryField, PriceField>;

const createTextSchema = (field: OtherField) =>
  createStorableTextSchema(field.sentence, 'maxLength' in field ? field.maxLength : maxTypedLength);

const courseSentence = categoryFields.course.sentence;
/** The schema of the code of a course. */
export const courseSchema = createStorableTextSchema(courseSentence, maxTypedLength)
  .overwrite(normalizeCourse)
  .max(maxCourseLength, courseSentence)
  .regex(courseCharacters, courseSentence);

/** Returns the schema of an amount in the currency of the campus, as typed or as a number. */
const createAmountSchema = ({ sentence: template }: PriceField, campus: CampusPrices) => {
  const sentence = formatPriceExamples(campus, template);
  return z.preprocess(
    (value) => priceTextToNumber(campus, value),
    z
      .number({ error: sentence })
      .gt(0, sentence)
      .max(getMaxPrice(campus), sentence)
      .refine((value) => hasPriceDecimals(campus, value), sentence),
  );
};

/** Returns the schema of a value that is present. */
const createValueSchema = (field: OtherField): z.ZodType<string | number> => {
  const { sentence } = field;
  switch (field.input) {
    case 'text':
    case 'game':
      return createSingleLineTextSchema({
        required: sentence,
        max: { length: field.maxLength, sentence },
      });
    case 'number':
      return z.coerce
        .number({ error: sentence })
        .int(sentence)
        .min(field.min, sentence)
        .max(field.max, sentence);
    case 'choice':
      return z.enum(Object.keys(field.options), { error: sentence });
    case 'isbn':
      return createTextSchema(field)
        .refine((text) => parseIsbn(text) !== undefined, { error: sentence, abort: true })
        .overwrite((text) => parseIsbn(text) ?? text);
    case 'weekdays':
      return createTextSchema(field)
        .overwrite((text) => [...new Set(text)].sort().join(''))
        .regex(/^[1-7]+$/, sentence);
    case 'course':
      return courseSchema;
  }
};

const mapFields = <Result>(
  toKey: (name: string, field: CategoryField) => string,
  toSchema: (field: CategoryField) => z.ZodType,
  isIncluded: (field: CategoryField) => boolean = () => true,
): Result =>
  Object.fromEntries(
    categoryFieldEntries
      .filter(([, field]) => isIncluded(field))
      .map(([name, field]) => [toKey(name, field), toSchema(field)]),
  ) as Result;

/**
 * Returns the schemas of the fields in the form. A field that is blank has no value. A field that is missing stays as it is, because
 * the form of an earlier version does not have it.
 */
export const createCategoryFormSchemas = (campus: CampusPrices) =>
  mapFields<{
    [Name in keyof CategoryFieldValues]: z.ZodType<CategoryFieldValues[Name] | undefined, unknown>;
  }>(
    (name) => name,
    (field) =>
      z.preprocess(
        (value) => (value === undefined ? undefined : blankToNull(value)),
        (field.input === 'price' ? createAmountSchema(field, campus) : createValueSchema(field)).nullish(),
      ),
  );

/** The schemas of the columns in responses. */
export const categoryColumnSchemas = mapFields<{
  [Column in keyof CategoryColumns]: z.ZodNullable<z.ZodType<NonNullable<CategoryColumns[Column]>>>;
}>(
  (_, { column }) => column,
  (field) =>
    (field.input === 'price'
      ? z.number()
      : field.input === 'number'
        ? z.int()
        : field.input === 'choice'
          ? z.enum(Object.keys(field.options))
          : z.string()
    ).nullable(),
);

/** The same schemas as `categoryColumnSchemas`, for responses that leave out a field without a value. */
export const optionalCategoryColumnSchemas = mapFields<{
  [Column in keyof CategoryColumns]: z.ZodOptional<(typeof categoryColumnSchemas)[Column]>;
}>(
  (_, { column }) => column,
  ({ column }) => (categoryColumnSchemas as Record<string, z.ZodType>)[column]?.optional() ?? z.undefined(),
);

/**
 * The schemas of the filters. A text that is no ISBN or course stays as it is and finds nothing, because an address with it
 * may come from anywhere.
 */
export const categoryFilterSchemas = mapFields<{
  [Column in keyof Required<CategoryFilters>]: z.ZodOptional<z.ZodType<CategoryFilters[Column]>>;
}>(
  (_, { column }) => column,
  (field) =>
    (field.input === 'isbn'
      ? createTextSchema(field).overwrite((text) => parseIsbn(text) ?? text)
      : field.input === 'course'
        ? createTextSchema(field).overwrite(normalizeCourse)
        : field.input === 'price'
          ? z.coerce.number({ error: field.sentence })
          : createValueSchema(field)
    ).optional(),
  ({ filter }) => filter !== undefined,
);

/**
 * Returns the filters of a query by fields of categories, in the form in which the fields are stored. Leaves out values that
 * no field can have.
 */
export const normalizeCategoryFilters = (query: Readonly<Record<string, unknown>>): CategoryFilters =>
  Object.fromEntries(
    Object.entries(categoryFilterSchemas)
      .map(([column, schema]) => [column, schema.safeParse(query[column]).data])
      .filter(([, value]) => value !== undefined),
  );
