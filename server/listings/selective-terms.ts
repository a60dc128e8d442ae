/** More candidates would hardly help, and long texts have thousands. */
const mostTried = 24;
/** Number of index entries that are read in the time of checking one listing. */
const entriesForOneLook = 5;

/**
 * Returns the few terms that find a text fastest: an index reads the posting list of each term, and listings that have
 * all the terms but not the whole text are checked without success. A sample estimates how many those are.
 */
export const selectiveTerms = (
  whole: string,
  clues: readonly string[],
  sample: readonly string[],
): string[] => {
  const chosen: string[] = [];
  const tried = clues
    .slice(0, mostTried)
    .map((clue) => ({ clue, entries: sample.filter((text) => text.includes(clue)).length }));
  let inVain = sample.filter((text) => !text.includes(whole));
  for (;;) {
    const [best] = tried
      .map(({ clue, entries }) => {
        const left = inVain.filter((text) => text.includes(clue));
        return { clue, left, gain: inVain.length - left.length - entries / entriesForOneLook };
      })
      .toSorted((a, b) => b.gain - a.gain);
    if (!best || (chosen.length > 0 && best.gain <= 0)) return chosen;
    chosen.push(best.clue);
    inVain = best.left;
  }
};
