import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import type { BookLookup } from '#contract/books.ts';
import { calls } from '#contract/calls.ts';
import { parseIsbn } from '#contract/isbn.ts';
import { titleLength } from '#contract/listing-form.ts';
import { countCharacters, removePictographs } from '#contract/text.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import type { ListingFormMethods } from './submission.ts';

type KnownBook = NonNullable<BookLookup['book']>;

const filledFields = ['title', 'authors', 'edition', 'publishedYear'] as const;
type FilledField = (typeof filledFields)[number];

/** Returns the title of a listing: that of the book, with edition and authors as long as it is too short without them. */
const toListingTitle = ({ title, edition, authors }: KnownBook): string => {
  let text = title ?? '';
  for (const part of [edition, authors])
    if (text && part && countCharacters(text) < titleLength.min) text = `${text}, ${part}`;
  return [...removePictographs(text)].slice(0, titleLength.max).join('').trim();
};

const toValues = (book: KnownBook): Record<FilledField, string> => ({
  title: toListingTitle(book),
  authors: book.authors ?? '',
  edition: book.edition ?? '',
  publishedYear: String(book.published_year ?? ''),
});

/**
 * Fills in what is known about the book of the form's ISBN, where the person has typed nothing. When the ISBN changes, what
 * was filled in changes with it. Returns where it came from.
 */
export const useBookDetails = ({
  control,
  setValue,
  clearErrors,
}: Pick<ListingFormMethods, 'control' | 'setValue' | 'clearErrors'>): KnownBook['source'] | undefined => {
  const isbn = parseIsbn(useWatch({ control, name: 'isbn' }) ?? '');
  const typed = useWatch({ control, name: filledFields });
  const initialIsbn = useRef(isbn);
  const filled = useRef<Partial<Record<FilledField, string>>>({});
  const { data } = useQuery(
    {
      queryKey: ['book', isbn],
      queryFn: ({ signal }) => request(calls.getBook, { params: { isbn: isbn ?? '' }, signal }),
      // The details of a stored listing are not filled in again.
      enabled: isbn !== undefined && isbn !== initialIsbn.current,
      staleTime: Number.POSITIVE_INFINITY,
    },
    queryClient,
  );
  const book = isbn === undefined ? undefined : data?.book;

  const fillIn = useEffectEvent((known: KnownBook) => {
    const values = toValues(known);
    for (const [index, name] of filledFields.entries()) {
      const value = values[name];
      const current = typed[index] ?? '';
      if (value === current || (current !== '' && current !== filled.current[name])) continue;
      setValue(name, value, { shouldDirty: true });
      clearErrors(name);
      filled.current[name] = value;
    }
  });
  useEffect(() => {
    if (book) fillIn(book);
  }, [book]);
  return book?.source;
};
