import { type Guideline, prohibitedItemRules, ticketPhrases } from './prohibited-item-rules.ts';
import { hasPhrase, removePhrases, toWords } from './wording.ts';

export type { Guideline } from './prohibited-item-rules.ts';

/** The texts of a listing; null or empty while they are missing. */
export interface ListingText {
  title: string | null;
  description: string | null;
}

export interface ProhibitedWording {
  guideline: Guideline;
  /** The field whose text contains the wording. */
  field: 'title' | 'description';
  /** Whether the listing is held for review; otherwise its author only sees the guideline. */
  isClear: boolean;
}

const find = (field: ProhibitedWording['field'], text: string | null): ProhibitedWording[] => {
  const words = toWords(text ?? '');
  return prohibitedItemRules.flatMap(({ guideline, items, clear, harmless }) => {
    const relevant = removePhrases(words, harmless);
    const hasItem = hasPhrase(relevant, items);
    // A title says what is offered, while a description may mention such an item for other reasons.
    const isClear = hasPhrase(relevant, clear) || (hasItem && field === 'title');
    return hasItem || isClear ? [{ guideline, field, isClear }] : [];
  });
};

/** Returns the wordings of a listing that suggest a prohibited item, at most one per guideline and the clear ones first. */
export const findProhibitedWordings = ({ title, description }: ListingText): ProhibitedWording[] => {
  const found = [...find('title', title), ...find('description', description)];
  const ordered = found.toSorted((a, b) => Number(b.isClear) - Number(a.isClear));
  return ordered.filter(
    ({ guideline }, index) => ordered.findIndex((other) => other.guideline === guideline) === index,
  );
};

/** Returns whether a listing offers tickets, as far as its texts say. */
export const mentionsTickets = ({ title, description }: ListingText): boolean =>
  hasPhrase(toWords(title ?? ''), ticketPhrases) || hasPhrase(toWords(description ?? ''), ticketPhrases);

/** The guidelines about prohibited items, as the Guidelines page lists them. */
export const guidelineSubjects: Record<Guideline, string> = {
  substances: 'Alcohol, tobacco, vapes and controlled substances',
  weapons: 'Weapons and explosives',
  illegal_goods: 'Counterfeit, stolen or illegal goods',
  medicine: 'Prescription drugs or medical devices',
  services: 'Services that violate university policies or the law',
  identities: 'Student IDs and accounts',
  animals: 'Live animals',
};

/** Returns the sentence with which a listing is refused where nobody could check it. */
export const formatProhibitedMessage = (guideline: Guideline): string =>
  `${guidelineSubjects[guideline]} can’t be offered here. Please change the wording if this is about something else.`;
