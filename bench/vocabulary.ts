/** Returns a number in [0, 1); the same seed gives the same numbers. */
export type Chance = () => number;

/** Mulberry32. */
export const createChance = (seed: number): Chance => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export const pick = <T>(chance: Chance, from: readonly T[]): T => {
  const picked = from[Math.floor(chance() * from.length)];
  if (picked === undefined) throw new Error('Nothing to pick from');
  return picked;
};

const frequent =
  `the and a to of in is it for with you on this or are be have from was not only one can all new
like good used great very will has never my pick up campus condition works desk chair lamp price semester size
comes also just still two box set room small large shelf table book bike jacket hoodie fridge mattress black
white blue red wood metal apartment parking game ticket monitor laptop charger cable keyboard calculator notes
edition textbook chemistry calculus kettle pan mug plate sofa rug mirror drawer frame storage cart original
clean smoke free home moving out graduation sale offer cash meet village tower north south near today weekend`
    .split(/\s+/)
    .filter(Boolean);

const onsets = 'b br c ch d dr f fl g gr h j k l m n p pl r s sh st t tr v w'.split(' ');
const vowels = 'a e i o u ai ea ee ou'.split(' ');
const codas = ['', '', 'l', 'm', 'n', 'nd', 'r', 'rt', 's', 'st', 't', 'ck'];
const rareWords = 12_000;

/** Words from the most to the least frequent: everyday ones, then many rare ones. */
export const vocabulary: readonly string[] = (() => {
  const chance = createChance(20);
  const syllable = () => pick(chance, onsets) + pick(chance, vowels) + pick(chance, codas);
  const words = new Set(frequent);
  while (words.size < frequent.length + rareWords)
    words.add(syllable() + syllable() + (chance() < 0.4 ? syllable() : ''));
  return [...words];
})();

/** Draws the n-th word with a probability proportional to 1/n (Zipf's law). */
export const drawWord = (chance: Chance): string =>
  vocabulary[Math.floor(vocabulary.length ** chance()) - 1] ?? 'the';

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Returns a model number such as QX-4107, as a source of rare pairs of letters. */
export const drawModel = (chance: Chance): string =>
  `${pick(chance, [...capitals])}${pick(chance, [...capitals])}-${1000 + Math.floor(chance() * 9000)}`;

/** Characters on no campus keyboard, each in about one of a hundred thousand listings. */
export const rareCharacters = ['ж', '§', '漢字', 'ß', '☂'];
