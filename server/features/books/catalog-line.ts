import { parseIsbn } from '#contract/isbn.ts';
import { normalizeLine } from '#contract/text.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

/** A book of the catalog. */
export type CatalogBook = Tables['books'];

/** What a line of a catalog contains: one book for each of its ISBNs, nothing of interest, or why it is broken. */
export type CatalogLine = { books: CatalogBook[] } | { skipped: true } | { broken: string };

const longest = { title: 300, authors: 200, edition: 40 } as const;

/** Returns the text of a field on one line, cut to a length; null when it is empty. */
const readText = (value: unknown, length: number): string | null => {
  if (typeof value !== 'string') return null;
  const line = normalizeLine(value.slice(0, 4 * length)).replace(/\p{Cc}/gu, '');
  if (line.length <= length) return line || null;
  return normalizeLine([...line].slice(0, length).join(''));
};

/** Returns the first year of a date of publication such as "March 3, 2014" that the form of a listing accepts. */
const readYear = (value: unknown): number | null => {
  const [year] =
    (typeof value === 'string' && /(?<!\d)(?:14[5-9]\d|1[5-9]\d\d|20\d\d)(?!\d)/.exec(value)) || [];
  return year === undefined ? null : Number(year);
};

const readList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const readName = (author: unknown): string[] =>
  typeof author === 'object' && author !== null && 'name' in author && typeof author.name === 'string'
    ? [author.name]
    : [];

interface CatalogFields {
  isbns: readonly unknown[];
  title: unknown;
  authors: unknown;
  edition: unknown;
  year: unknown;
}

const toBooks = ({ isbns, title, authors, edition, year }: CatalogFields): CatalogLine => {
  const valid = new Set(isbns.flatMap((isbn) => (typeof isbn === 'string' ? (parseIsbn(isbn) ?? []) : [])));
  if (valid.size === 0) return { broken: 'the ISBN is not valid' };
  const cleanTitle = readText(title, longest.title);
  if (cleanTitle === null) return { broken: 'the title is missing' };
  const facts = {
    title: cleanTitle,
    authors: readText(authors, longest.authors),
    edition: readText(edition, longest.edition),
    published_year: readYear(year),
  };
  return { books: [...valid].map((isbn) => ({ isbn, ...facts })) };
};

/** Reads the record of an edition in the dump of Open Library (https://openlibrary.org/developers/dumps). */
const readEdition = (json: string): CatalogLine => {
  let record: unknown;
  try {
    record = JSON.parse(json);
  } catch {
    return { broken: 'the record is not valid JSON' };
  }
  if (typeof record !== 'object' || record === null) return { broken: 'the record is not an object' };
  const { isbn_13, isbn_10, title, by_statement, authors, edition_name, publish_date } = record as Record<
    string,
    unknown
  >;
  const isbns = [...readList(isbn_13), ...readList(isbn_10)];
  if (isbns.length === 0) return { skipped: true };
  const names = readList(authors).flatMap(readName).join(', ') || by_statement;
  return toBooks({ isbns, title, authors: names, edition: edition_name, year: publish_date });
};

/** Returns a column without the quotes that spreadsheets put around what contains a comma or a quote. */
const unquote = (column: string): string => {
  if (column.length < 2 || !column.startsWith('"') || !column.endsWith('"')) return column;
  const parts = column.slice(1, -1).split('""');
  return parts.some((part) => part.includes('"')) ? column : parts.join('"');
};

/**
 * Reads a line of a catalog: ISBN, title, authors, edition and year separated by tabs, or a record of the dump of Open
 * Library, which has the type in the first and JSON in the fifth column.
 */
export const readCatalogLine = (line: string): CatalogLine => {
  if (line.trim() === '') return { skipped: true };
  const columns = line.split('\t');
  const [isbn = '', title, authors, edition, year] = columns.map(unquote);
  if (isbn.startsWith('/type/')) {
    if (isbn !== '/type/edition') return { skipped: true };
    return columns.length < 5 ? { broken: 'columns are missing' } : readEdition(columns.slice(4).join('\t'));
  }
  if (/^(\uFEFF)?isbn\b/i.test(isbn) && parseIsbn(isbn) === undefined) return { skipped: true };
  if (columns.length < 2) return { broken: 'columns are missing' };
  return toBooks({ isbns: [isbn.replace('\uFEFF', '')], title, authors, edition, year });
};
