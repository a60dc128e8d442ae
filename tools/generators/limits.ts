import { countings, type Limit, limits, newConversations } from '#contract/limits.ts';
import { replaceSection } from '../generating/section.ts';

const span = (seconds: number): string => {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? 'a day' : `${seconds / 86_400} days`;
  if (seconds % 3600 === 0) return seconds === 3600 ? 'an hour' : `${seconds / 3600} hours`;
  return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`;
};

/** Generates the list of limits in docs/operations.md from the contract. */
export const generate = () => {
  const rows = Object.entries(limits).map(
    ([name, { points, seconds, by, what, visitors }]: [string, Limit]) =>
      `| \`${name}\` | ${what} | ${points} in ${span(seconds)}${visitors ? `; ${points * visitors} by visitors of one address` : ''} | ${by} |`,
  );
  const { new: young, known, newForSeconds } = newConversations;
  const meanings = Object.entries(countings).map(([name, meaning]) => `- *${name}*: ${meaning}.`);
  const text = [
    ['| limit | of what | how many | by |', '|---|---|---|---|', ...rows].join('\n'),
    meanings.join('\n'),
    `Conversations started with a first message: ${known.points} in ${span(known.seconds)} by account; ${young.points} in ${span(young.seconds)} while the account is younger than ${span(newForSeconds)}. Opening one does not count.`,
  ];
  return [replaceSection('docs/operations.md', 'limits', text.join('\n\n'))];
};
