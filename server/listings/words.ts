import type { gameDayKinds, sizes } from '#contract/listings.ts';

type Size = (typeof sizes)[number];
type Kind = (typeof gameDayKinds)[number];

// No field holds a size or a kind: they are told by whole words of title and description. Both are regular
// expressions of PostgreSQL.

// A lone letter counts as a size in capitals, so that "women's" is not small.
const sizeWords: Record<Size, string> = {
  small: 'S|[Ss]mall|SMALL',
  medium: 'M|[Mm]edium|MEDIUM',
  large: 'L|[Ll]arge|LARGE',
  xl: '([Xx]|[Ee]xtra|EXTRA)[ -]?(L|[Ll]arge|LARGE)|[Xx]l',
};
/** Before "Large" it says another size. */
const extra = '(?<!([Xx]|[Ee]xtra|EXTRA)[ -])';

/** Finds a size in a text. */
export const sizePattern = (size: Size): string =>
  `(^|[^[:alnum:]'’])${size === 'xl' ? '' : extra}(${sizeWords[size]})($|[^[:alnum:]])`;

const kindWords: Record<Kind, string> = {
  tickets: 'tickets?',
  'tailgate-gear':
    'tailgat(e|es|ing|er)|canop(y|ies)|tents?|coolers?|grills?|cornhole|(folding|camp|camping|stadium)( [a-z]+)? chairs?',
  'parking-passes': 'parking (pass|passes|permits?|spots?)',
};

const wholeWords = (words: string): string => `\\m(${words})\\M`;

/** Finds the words of a kind in a text, whatever their case. */
export const kindPattern = (kind: Kind): string => wholeWords(kindWords[kind]);

/** Finds any kind. A title that names one decides: a grill's description may well speak of tickets. */
export const someKindPattern = wholeWords(Object.values(kindWords).join('|'));
