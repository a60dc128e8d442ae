import type { Category } from './categories.ts';
import { type PhraseIndex, parsePhrases } from './phrase-matching.ts';

/** Names of the guidelines about prohibited items. */
export type ProhibitedItemGuideline =
  | 'substances'
  | 'weapons'
  | 'illegal_goods'
  | 'medicine'
  | 'services'
  | 'identities'
  | 'animals';

/** How one kind of prohibited items is recognized in the texts of a listing. */
export interface ProhibitedItemRule {
  guideline: ProhibitedItemGuideline;
  /**
   * Names of prohibited items. A listing whose title or location contains one is clearly prohibited; a description may
   * mention such an item for other reasons.
   */
  items: PhraseIndex;
  /** Wordings that make a listing clearly prohibited, in the title or in the description. */
  clear: PhraseIndex;
  /** Harmless phrases that contain words of `items`, `clear` or `ambiguous`; the check ignores them. */
  harmless: PhraseIndex;
  /**
   * Objects that are offered when they follow a name: a "gun safe" is a safe. Without them, what follows a name makes no
   * difference.
   */
  objects: ReadonlySet<string>;
  /** Names that also have other meanings. They count in a title if something shows that the item itself is offered. */
  ambiguous: PhraseIndex;
  /** The categories in which names of `items` are ambiguous, too: as subjects of books, or as colors of clothes. */
  ambiguousIn: Partial<Record<Category, PhraseIndex>>;
  /** Wordings in the title or the description that show that the item itself is offered. */
  evidence: PhraseIndex;
  /** The price in dollars from which a name of `ambiguous` needs no other evidence: a poster of a Beretta costs less. */
  evidentPrice: number;
}

/** The members of a rule without names that have other meanings. */
export const unambiguous = {
  ambiguous: parsePhrases(''),
  ambiguousIn: {},
  evidence: parsePhrases(''),
  evidentPrice: Number.POSITIVE_INFINITY,
} as const;

export const not = 'no|not|non|never|without|isnt|arent|zero';
export const sells = 'sell|selling|sells|offering|deliver|delivering|delivery|buy';

const determiners =
  'a|an|the|my|your|his|her|our|their|any|some|small|large|big|old|real|pet|young|two|2|3|4|5|6|8|12';
const leadWords =
  'no|not|without|zero|for|about|like|featuring|fits|fit|holds|hold|stores|near|behind|outside|inside|beside|opposite|across|past';

/**
 * Words directly before a name that show that the named thing is not what is offered: "no alcohol", "tank for a turtle",
 * "near the gun club".
 */
export const leads = parsePhrases(`
  ${leadWords}
  ${leadWords} ${determiners}
  ${leadWords} ${determiners} ${determiners}
  next|close to
  next|close to ${determiners}
  front of
  front of ${determiners}
`);

/** Phrases that contain words of `leads` although they announce an item. */
export const announcements = parsePhrases(`
  looking|iso|searching|# for
  for sale|free|cheap
`);

/** Words in the title of a work, a costume or a toy, in which names of prohibited items are ambiguous. */
export const fiction = parsePhrases(`
  paperback|paperbacks|hardcover|novel|novels|isbn|dvd|dvds|bluray|vinyl|lp|soundtrack|manga|ps4|ps5|xbox
  costume|cosplay|halloween|prop|toy|toys|lego|nerf|minecraft
`);
