import { hasPhrase, removePhrases, splitIntoWords } from './phrase-matching.ts';
import { type ProhibitedItemGuideline, prohibitedItemRules, ticketPhrases } from './prohibited-item-rules.ts';

export type { ProhibitedItemGuideline } from './prohibited-item-rules.ts';

/**
 * The fields of a listing whose text is checked, and whether the name of a prohibited item alone makes a clear case there.
 * A description may mention such an item for other reasons, and an email address may contain the name of a person.
 */
const isNameClearIn = {
  title: true,
  location: true,
  description: false,
  contact_email: false,
} as const;
type CheckedField = keyof typeof isNameClearIn;
export const checkedFields = Object.keys(isNameClearIn) as CheckedField[];

/** The texts of a listing that are checked; null or empty if the person has not entered them yet. */
export type ListingText = Record<CheckedField, string | null>;

/** A guideline about prohibited items that a listing violates or seems to violate. */
export interface GuidelineViolation {
  guideline: ProhibitedItemGuideline;
  /** The field of the listing in which the violation was found. */
  field: CheckedField;
  /** Whether a moderator must review the listing; otherwise the form only shows the guideline. */
  isClear: boolean;
}

const find = (field: CheckedField, text: string | null): GuidelineViolation[] => {
  // In other texts, an at-sign within a word replaces a letter.
  const words = splitIntoWords((field === 'contact_email' ? text?.replace('@', ' ') : text) ?? '');
  return prohibitedItemRules.flatMap(({ guideline, items, clear, harmless }) => {
    const relevant = removePhrases(words, harmless);
    const hasItem = hasPhrase(relevant, items);
    const isClear = hasPhrase(relevant, clear) || (hasItem && isNameClearIn[field]);
    return hasItem || isClear ? [{ guideline, field, isClear }] : [];
  });
};

/**
 * Returns the guidelines about prohibited items that a listing's texts seem to violate: each guideline at most once, clear
 * violations first.
 */
export const findGuidelineViolations = (text: ListingText): GuidelineViolation[] => {
  const found = checkedFields.flatMap((field) => find(field, text[field]));
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
