import { isCategory } from './categories.ts';
import { type CategoryTextColumn, categoryTextColumns } from './category-fields.ts';
import { depictions, joiningWords, partEndingWords, separatingWords } from './everyday-objects.ts';
import {
  hasPhrase,
  isWordAt,
  listMatches,
  type PhraseIndex,
  type PhraseMatch,
  removePhrases,
  splitIntoWords,
  type WordSpellings,
} from './phrase-matching.ts';
import {
  announcements,
  fiction,
  leads,
  type ProhibitedItemGuideline,
  type ProhibitedItemRule,
} from './prohibited-item-rule.ts';
import { prohibitedItemRules, ticketPhrases } from './prohibited-item-rules.ts';

export type { ProhibitedItemGuideline } from './prohibited-item-rule.ts';

/**
 * The fields of a listing whose text is checked, and whether the name of a prohibited item alone makes a clear case there.
 * A description may mention such an item for other reasons, and an email address may contain the name of a person.
 */
const isNameClearIn = {
  title: true,
  location: true,
  description: false,
  contact_email: false,
  ...(Object.fromEntries(categoryTextColumns.map((column) => [column, false])) as Record<
    CategoryTextColumn,
    false
  >),
} as const;
type CheckedField = keyof typeof isNameClearIn;
export const checkedFields = Object.keys(isNameClearIn) as CheckedField[];

/** The texts of a listing that are checked; null or empty if the person has not entered them yet. */
export type ListingText = Record<Exclude<CheckedField, CategoryTextColumn>, string | null> &
  Partial<Record<CategoryTextColumn, string | null>>;

/** What is checked: the texts, and what helps to understand them. */
export type CheckedListing = ListingText & {
  category: string | null;
  price: number | null;
};

/** A guideline about prohibited items that a listing violates or seems to violate. */
export interface GuidelineViolation {
  guideline: ProhibitedItemGuideline;
  field: CheckedField;
  /** Whether a moderator must review the listing; otherwise the form only shows the guideline. */
  isClear: boolean;
}

type Words = readonly WordSpellings[];

/** Maximum number of words before or after a name in which its context is looked for. */
const maxContextWords = 6;

const split = (text: string | null): Words => splitIntoWords(text ?? '', { splitsParts: true });

/**
 * Returns the groups of names in a text, each as the index of its first word and the index after its last word. Names
 * belong to one group when only a comma or "and" is between them: "beer, wine and whiskey glasses".
 */
const groupNames = (words: Words, names: readonly PhraseMatch[]): PhraseMatch[] => {
  const groups: PhraseMatch[] = [];
  for (const [start, end] of names) {
    const last = groups.at(-1);
    let joined = last?.[1] ?? start + 1;
    while (joined < start && isWordAt(words, joined, joiningWords)) joined += 1;
    if (last && joined >= start) last[1] = Math.max(last[1], end);
    else groups.push([start, end]);
  }
  return groups;
};

/** Returns whether the words around a group of names show that something else is offered, such as a poster or a holder. */
const isAboutAnotherThing = (
  words: Words,
  [start, end]: PhraseMatch,
  { objects, leadEnds }: { objects: ReadonlySet<string>; leadEnds: ReadonlySet<number> },
): boolean => {
  if (leadEnds.has(start)) return true;
  if (objects.size === 0) return false;
  for (let at = end; at < end + maxContextWords && words[at]; at += 1) {
    if (isWordAt(words, at, objects)) return true;
    if (isWordAt(words, at, separatingWords)) break;
  }
  for (let at = start - 1; at >= start - maxContextWords && words[at]; at -= 1) {
    if (isWordAt(words, at, depictions)) return true;
    if (isWordAt(words, at, partEndingWords)) break;
  }
  return false;
};

/** Returns whether something besides a name with several meanings shows that a prohibited item is offered. */
const hasEvidence = ({ evidence }: ProhibitedItemRule, { title, description }: CheckedListing): boolean =>
  [title, description].some((text) => hasPhrase(split(text), evidence));

/** The categories of things that fit no other one. In others, names of animals and weapons also name furniture and tools. */
const miscellaneous: ReadonlySet<string | null> = new Set([
  null,
  '',
  'merchandise',
  'study-items',
  'rentals',
]);

const isPriceEvident = ({ category, price }: CheckedListing, evidentPrice: number): boolean =>
  miscellaneous.has(category) && (price ?? 0) >= evidentPrice;

const find = (field: CheckedField, listing: CheckedListing): GuidelineViolation[] => {
  const text = listing[field] ?? null;
  // In other texts, an at-sign within a word replaces a letter.
  const words = split(field === 'contact_email' && text ? text.replace('@', ' ') : text);
  const leadEnds = new Set(listMatches(removePhrases(words, announcements), leads).map(([, end]) => end));
  const isFiction = hasPhrase(words, fiction);
  return prohibitedItemRules.flatMap((rule) => {
    const { guideline, items, clear, ambiguous, ambiguousIn, harmless, objects, evidentPrice } = rule;
    const names = [items, clear, ambiguous].flatMap((phrases) => listMatches(words, phrases));
    if (names.length === 0) return [];
    const offered = new Set<number>();
    for (const group of groupNames(
      words,
      names.toSorted(([a], [b]) => a - b),
    ))
      if (!isAboutAnotherThing(words, group, { objects, leadEnds }))
        for (let at = group[0]; at < group[1]; at += 1) offered.add(at);
    const relevant = removePhrases(words, harmless);
    const isOffered = (phrases: PhraseIndex, among: Words = relevant): boolean =>
      listMatches(among, phrases).some(([start]) => offered.has(start));

    const isEvident = hasEvidence(rule, listing);
    const doubtful = [
      listing.category && isCategory(listing.category) ? ambiguousIn[listing.category] : undefined,
      isFiction ? ambiguousIn.textbooks : undefined,
    ].filter((phrases) => phrases !== undefined);
    const hasItem =
      isOffered(items, isEvident ? relevant : doubtful.reduce(removePhrases, relevant)) ||
      (field === 'title' && (isEvident || isPriceEvident(listing, evidentPrice)) && isOffered(ambiguous));
    const isClear = isOffered(clear) || (hasItem && isNameClearIn[field]);
    return hasItem || isClear ? [{ guideline, field, isClear }] : [];
  });
};

/**
 * Returns the guidelines about prohibited items that a listing's texts seem to violate: each guideline at most once, clear
 * violations first.
 */
export const findGuidelineViolations = (listing: CheckedListing): GuidelineViolation[] => {
  const found = checkedFields.flatMap((field) => find(field, listing));
  const ordered = found.toSorted((a, b) => Number(b.isClear) - Number(a.isClear));
  return ordered.filter(
    ({ guideline }, index) => ordered.findIndex((other) => other.guideline === guideline) === index,
  );
};

/** Returns whether the title or the description of a listing mentions tickets. */
export const mentionsTickets = ({
  title,
  description,
}: Pick<ListingText, 'title' | 'description'>): boolean =>
  hasPhrase(splitIntoWords(title ?? ''), ticketPhrases) ||
  hasPhrase(splitIntoWords(description ?? ''), ticketPhrases);

/** The subjects of the guidelines about prohibited items, in the words of the Guidelines page. */
export const guidelineSubjects: Record<ProhibitedItemGuideline, string> = {
  substances: 'Alcohol, tobacco, vapes and controlled substances',
  weapons: 'Weapons and explosives',
  illegal_goods: 'Counterfeit, stolen or illegal goods',
  medicine: 'Prescription drugs or medical devices',
  services: 'Services that violate university policies or the law',
  identities: 'Student IDs and accounts',
  animals: 'Live animals',
};

/** Returns the error message for a prohibited listing on a site that has no moderator who could review it. */
export const formatProhibitedMessage = (guideline: ProhibitedItemGuideline): string =>
  `${guidelineSubjects[guideline]} can’t be offered here. Please change the wording if this is about something else.`;

/** Returns the error message for a wanted post that looks for something prohibited. */
export const formatUnwantedMessage = (guideline: ProhibitedItemGuideline): string =>
  `${guidelineSubjects[guideline]} can’t be asked for here. Please change the wording if this is about something else.`;
