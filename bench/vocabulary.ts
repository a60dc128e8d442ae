/** A seeded random generator: returns numbers in [0, 1), in the same sequence for the same seed. */
export type RandomSource = () => number;

/** Creates a Mulberry32 random generator. */
export const createRandomSource = (seed: number): RandomSource => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export const pickRandom = <T>(random: RandomSource, from: readonly T[]): T => {
  const item = from[Math.floor(random() * from.length)];
  if (item === undefined) throw new Error('Nothing to pick from');
  return item;
};

const frequentWords =
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
const rareWordCount = 12_000;

/** All words, from the most to the least frequent: everyday words, then many made-up ones. */
export const vocabulary: readonly string[] = (() => {
  const random = createRandomSource(20);
  const syllable = () => pickRandom(random, onsets) + pickRandom(random, vowels) + pickRandom(random, codas);
  const words = new Set(frequentWords);
  while (words.size < frequentWords.length + rareWordCount)
    words.add(syllable() + syllable() + (random() < 0.4 ? syllable() : ''));
  return [...words];
})();

/** Returns a random item. The probability of the n-th item is proportional to 1/n (Zipf's law). */
export const pickRandomByRank = <T>(random: RandomSource, items: readonly T[]): T => {
  const item = items[Math.floor(items.length ** random()) - 1];
  if (item === undefined) throw new Error('Nothing to pick from');
  return item;
};

/** Returns a random word of the vocabulary; frequent words are more probable. */
export const pickRandomWord = (random: RandomSource): string => pickRandomByRank(random, vocabulary);

const capitalLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Returns a random model number such as QX-4107, which adds rare letter pairs to the texts. */
export const generateModelNumber = (random: RandomSource): string =>
  `${pickRandom(random, [...capitalLetters])}${pickRandom(random, [...capitalLetters])}-${1000 + Math.floor(random() * 9000)}`;

/** Characters that US keyboards lack; each occurs in about one in a hundred thousand generated listings. */
export const rareCharacters = ['ж', '§', '漢字', 'ß', '☂'];
