import { hasPhrase, removePhrases, splitIntoWords } from './phrase-matching.ts';
import { type ProhibitedItemGuideline, prohibitedItemRules, ticketPhrases } from './prohibited-item-rules.ts';

export type { ProhibitedItemGuideline } from './prohibited-item-rules.ts';

/** The texts of a listing that are checked; null or empty if the person has not entered them yet. */
export interface ListingText {
  title: string | null;
  description: string | null;
}

/** A guideline about prohibited items that a listing violates or seems to violate. */
export interface GuidelineViolation {
  guideline: ProhibitedItemGuideline;
  /** The field of the listing in which the violation was found. */
  field: 'title' | 'description';
  /** Whether a moderator must review the listing; otherwise the form only shows the guideline. */
  isClear: boolean;
}

const find = (field: GuidelineViolation['field'], text: string | null): GuidelineViolation[] => {
  const words = splitIntoWords(text ?? '');
  return prohibitedItemRules.flatMap(({ guideline, items, clear, harmless }) => {
    const relevant = removePhrases(words, harmless);
    const hasItem = hasPhrase(relevant, items);
    // A prohibited item is clearly offered only if its name is in the title, because the title says what is
    // offered. A description may mention such an item for other reasons.
    const isClear = hasPhrase(relevant, clear) || (hasItem && field === 'title');
    return hasItem || isClear ? [{ guideline, field, isClear }] : [];
  });
};

/**
 * Returns the guidelines about prohibited items that a listing's title or description seems to violate: each
 * guideline at most once, clear violations first.
 */
export const findGuidelineViolations = ({ title, description }: ListingText): GuidelineViolation[] => {
  const found = [...find('title', title), ...find('description', description)];
  const ordered = found.toSorted((a, b) => Number(b.isClear) - Number(a.isClear));
  return ordered.filter(
    ({ guideline }, index) => ordered.findIndex((other) => other.guideline === guideline) === index,
  );
};

/** Returns whether the title or the description of a listing mentions tickets. */
export const mentionsTickets = ({ title, description }: ListingText): boolean =>
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
