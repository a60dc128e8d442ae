import fc from 'fast-check';
import { parse } from 'isbn3';
import { describe, expect, test } from 'vitest';
import { parseIsbn, separateIsbns, toIsbn10 } from './isbn.ts';

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((it) => it.join(''));

/** The check digits, computed by trying them out: there is exactly one. */
const complete = (body: string): string[] =>
  [...'0123456789X'].map((check) => body + check).filter((text) => parseIsbn(text) !== undefined);

const isbn10 = digits(9).map((body) => complete(body)[0] ?? '');
const isbn13 = fc
  .tuple(fc.constantFrom('978', '979'), digits(9))
  .map(([prefix, body]) => complete(prefix + body)[0] ?? '');

const swap = (text: string, at: number): string =>
  text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
const toNumber = (character = ''): number => (character === 'X' ? 10 : Number(character));

describe('promise 115: an ISBN', () => {
  test('has one check digit, which isbn3 confirms for all ISBNs of publishers that it knows', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          digits(9),
          digits(9).map((body) => `978${body}`),
        ),
        (body) => {
          const [text = '', ...others] = complete(body);
          expect(others).toEqual([]);
          expect([undefined, parseIsbn(text)]).toContain(parse(text)?.isbn13);
        },
      ),
    );
  });

  test('is the same book as ISBN-10 and as ISBN-13, with any separators', () => {
    fc.assert(
      fc.property(
        isbn10,
        fc.constantFrom('', ' ', '-', '–'),
        fc.constantFrom('', 'ISBN: ', 'isbn ', 'ISBN-10: '),
        (text, separator, prefix) => {
          const typed = prefix + [...text].join(separator);
          const book = parseIsbn(typed);
          expect(book, typed).toMatch(/^978\d{10}$/);
          expect(parseIsbn(book ?? '')).toBe(book);
          expect(toIsbn10(book ?? '')).toBe(text);
        },
      ),
    );
  });

  test.each([
    'ISBN-13 \u200F : \u200E 978-0306406157',
    '\uFEFF978\u00AD0306406157',
    'ISBN (13) 9780306406157',
    '９７８０３０６４０６１５７',
    '٩٧٨٠٣٠٦٤٠٦١٥٧',
    '0‑306‑40615‑2',
    'ISBN‑13: 978⁃0﹣306－40615⸺7',
    'ISBN – 10 0 306 40615 2',
  ])('is read as shops and keyboards write it: %j', (text) => {
    expect(parseIsbn(text)).toBe('9780306406157');
  });

  test.each([
    ['ISBN-10', isbn10],
    ['ISBN-13', isbn13],
  ])('with any single wrong digit is found: %s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        for (let at = 0; at < text.length; at += 1)
          for (const digit of '0123456789')
            if (digit !== text[at])
              expect(parseIsbn(text.slice(0, at) + digit + text.slice(at + 1))).toBeUndefined();
      }),
    );
  });

  test.each([
    ['ISBN-10', isbn10, false],
    ['ISBN-13', isbn13, true],
  ])(
    'with two neighbors swapped is found, as far as the check digit shows it: %s',
    (_, texts, isThirteen) => {
      fc.assert(
        fc.property(texts, (text) => {
          for (let at = 0; at < text.length - 1; at += 1) {
            const difference = Math.abs(toNumber(text[at]) - toNumber(text[at + 1]));
            const isShown = difference !== 0 && !(isThirteen && difference === 5);
            const swapped = parseIsbn(swap(text, at));
            if (isShown) expect(swapped, `${text} at ${at}`).toBeUndefined();
            // A swap in "978" is found even where the check digit does not show it.
            else if (!isThirteen || at > 2) expect(swapped, `${text} at ${at}`).toBeDefined();
          }
        }),
      );
    },
  );

  test.each(['', '123', '4006381333931', '978013110362', '97801311036277', 'X131103628', 'ISBN'])(
    'is not in %j',
    (text) => expect(parseIsbn(text)).toBeUndefined(),
  );

  test.each([
    ['Looking for ISBN-13: 978–0–306–40615–7, any edition', 'Looking for  9780306406157 , any edition'],
    ['ISBN 0-306-40615-2 or 978\u00A00306406157 2 copies', ' 0306406152  or  9780306406157  2 copies'],
    ['Call 306-406-1570', 'Call 306-406-1570'],
    ['MATH 125 0-306-40615-2', 'MATH 125  0306406152 '],
    ['Algebra 2 978-0-306-40615-7', 'Algebra 2  9780306406157 '],
    ['۱۳ کتاب ٩٧٨٠٣٠٦٤٠٦١٥٧', '۱۳ کتاب  9780306406157 '],
    ['Order 1978-0-306-40615-7', 'Order 1978-0-306-40615-7'],
  ])('within %j is found', (text, separated) => {
    expect(separateIsbns(text)).toBe(separated);
  });
});
