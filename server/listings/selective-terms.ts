/** More of them would hardly tell more, and long texts have thousands. */
const mostTried = 24;
/** An index reads so many entries in the time that looking into one listing takes. */
const entriesForOneLook = 5;

/**
 * The few clues by which a text is found soonest: an index reads a list of all listings for each clue it is given, and
 * listings that have all these clues without having the whole text are looked into in vain. A sample tells how many.
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
