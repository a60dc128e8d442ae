import { z } from 'zod';

/**
 * Texts that cost most where code repeats work at every character: each repeats a unit, and ends so that a pattern that
 * matched so far does not match.
 */
export const worstCaseUnits: Record<string, { unit: string; end?: string }> = {
  'opening tags': { unit: '<Override ' },
  spaces: { unit: ' ', end: 'x' },
  'line breaks': { unit: 'a \n\t', end: '!' },
  letters: { unit: 'a', end: '!' },
  'separate letters': { unit: 'a ' },
  'reserved words': { unit: 'helpdesk', end: 'x' },
  digits: { unit: '1', end: 'x' },
  'digits with separators': { unit: '1,0.0-', end: 'x' },
  symbols: { unit: '!', end: 'a!' },
  'at signs': { unit: 'a@', end: ' ' },
  hyphens: { unit: 'a-', end: '_' },
  brackets: { unit: '([{', end: 'x' },
  quotes: { unit: '"\'\\', end: 'x' },
  'domain names': { unit: 'a.', end: '@' },
  links: { unit: 'http://a.b/', end: ' ' },
  'combining marks': { unit: '\u0301\u0316', end: 'a' },
  'letters with marks': { unit: 'a\u0301', end: '!' },
  'emoji sequences': { unit: '\u{1F469}\u200D', end: '\u200B' },
  'invisible characters': { unit: '\u200B', end: 'a' },
  'access tokens': { unit: 'eyJ-', end: '.' },
};

/** Returns the longest text of a kind whose encoded form has at most `limit` characters or bytes. */
export const createWorstCaseText = (
  kind: string,
  limit: number,
  measure: (text: string) => number = (text) => text.length,
): string => {
  const { unit, end = '' } = worstCaseUnits[kind] ?? { unit: kind };
  return unit.repeat(Math.max(0, Math.floor((limit - measure(end)) / measure(unit)))) + end;
};

/** Returns the length of a text in JSON, without the quotes, in bytes. */
export const measureJsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

export const measureUrlLength = (text: string): number => encodeURIComponent(text).length;

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

const listTextPaths = (schema: JsonSchema, path: string[]): string[][] => {
  const { type, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const alternatives = [...anyOf, ...oneOf, ...allOf];
  if (alternatives.length > 0) return alternatives.flatMap((it) => listTextPaths(it, path));
  if (type === 'object')
    return Object.entries(properties).flatMap(([name, it]) => listTextPaths(it, [...path, name]));
  if (type === 'array') return items ? listTextPaths(items, [...path, '0']) : [];
  const takesText = (type === undefined || type === 'string') && !schema.enum && schema.const === undefined;
  return takesText ? [path] : [];
};

/** Returns the paths of all fields of a schema that may take text. */
export const listTextFields = (schema: z.ZodType): string[][] => {
  const paths = listTextPaths(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
    [],
  );
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()];
};

/** Returns a copy of a JSON value with another value at the path, whose parents are created where necessary. */
export const replaceAt = (value: unknown, [key, ...rest]: string[], replacement: unknown): unknown => {
  if (key === undefined) return replacement;
  if (key === '0') return [replaceAt(Array.isArray(value) ? value[0] : undefined, rest, replacement)];
  const object = (value ?? {}) as Record<string, unknown>;
  return { ...object, [key]: replaceAt(object[key], rest, replacement) };
};
