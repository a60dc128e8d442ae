import { z } from 'zod';
import {
  type CategoryColumns,
  type CategoryField,
  type CategoryFieldValues,
  type CategoryFilters,
  categoryFieldEntries,
} from './category-fields.ts';
import { parseIsbn } from './isbn.ts';
import { blankToNull, createSingleLineTextSchema, createStorableTextSchema, normalizeLine } from './text.ts';

const maxCourseLength = 20;
const maxTypedLength = 60;

/** Matches the subject and the number of a course, as in "math125" and "MATH 125L". */
const coursePattern = /^([\p{L}&]{2,8})[ -]?(\d{1,4}[\p{L}\d]{0,3})$/u;
const courseCharacters = /^[\p{L}\p{N}][\p{L}\p{N} .&/-]*$/u;

/** Returns the code of a course in the form in which it is stored and compared: "MATH 125". */
export const normalizeCourse = (text: string): string =>
  normalizeLine(text).toUpperCase().replace(coursePattern, '$1 $2');

const maxAmount = 100_000;

/** Converts a typed amount to a number, also with a currency symbol and with commas, as in "$1,200". */
const toAmount = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const digits = normalizeLine(value).replace(/^\p{Sc} ?/u, '');
  return /^(\d+|\d{1,3}(,\d{3})+)(\.\d*)?$/.test(digits) ? Number(digits.replaceAll(',', '')) : Number.NaN;
};

const createTextSchema = (field: CategoryField) =>
  createStorableTextSchema(field.sentence, 'maxLength' in field ? field.maxLength : maxTypedLength);

/** Returns the schema of a value that is present. */
const createValueSchema = (field: CategoryField): z.ZodType<string | number> => {
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
    case 'price':
      return z.preprocess(
        toAmount,
        z
          .number({ error: sentence })
          .gt(0, sentence)
          .max(maxAmount, sentence)
          .refine((value) => /^\d+(\.\d{1,2})?$/.test(String(value)), sentence),
      );
    case 'choice':
      return z.enum(Object.keys(field.options), { error: sentence });
    case 'isbn':
      return createTextSchema(field)
        .refine((text) => parseIsbn(text) !== undefined, { error: sentence, abort: true })
        .overwrite((text) => parseIsbn(text) ?? text);
    case 'course':
      return createTextSchema(field)
        .overwrite(normalizeCourse)
        .max(maxCourseLength, sentence)
        .regex(courseCharacters, sentence);
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
 * The schemas of the fields in the form. A field that is blank has no value. A field that is missing stays as it is, because
 * the form of an earlier version does not have it.
 */
export const categoryFormSchemas = mapFields<{
  [Name in keyof CategoryFieldValues]: z.ZodType<CategoryFieldValues[Name] | undefined, unknown>;
}>(
  (name) => name,
  (field) =>
    z.preprocess(
      (value) => (value === undefined ? undefined : blankToNull(value)),
      createValueSchema(field).nullish(),
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
