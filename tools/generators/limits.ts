import {
  type AccountTier,
  messageSimilarityThreshold,
  minComparedMessageLength,
  newAccountSeconds,
  newConversationLimits,
  openOfferLimits,
  type Quota,
  type RateLimitRule,
  rateLimitRules,
  rateLimitScopes,
  savedSearchLimits,
  similarMessageLimits,
  similarMessageSignalThresholds,
} from '#contract/limits.ts';
import { replaceSection } from '../generating/section.ts';

const formatDuration = (seconds: number): string => {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? 'a day' : `${seconds / 86_400} days`;
  if (seconds % 3600 === 0) return seconds === 3600 ? 'an hour' : `${seconds / 3600} hours`;
  return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`;
};

const tierNames: Record<AccountTier, string> = {
  new_unverified: 'new, not verified',
  new: 'new, verified',
  unverified: 'older, not verified',
  known: 'older, verified',
};
const tiers = Object.keys(tierNames) as AccountTier[];
const formatQuotas = (quotas: Record<AccountTier, Quota>): string =>
  tiers.map((tier) => `${quotas[tier].points} in ${formatDuration(quotas[tier].seconds)}`).join(' | ');

const tierTable = [
  `| of an account | ${tiers.map((tier) => tierNames[tier]).join(' | ')} |`,
  `|---|${tiers.map(() => '---|').join('')}`,
  `| conversations started | ${formatQuotas(newConversationLimits)} |`,
  `| people who get nearly the same first message | ${formatQuotas(similarMessageLimits)} |`,
  `| open offers | ${tiers.map((tier) => openOfferLimits[tier]).join(' | ')} |`,
  `| searches saved | ${formatQuotas(savedSearchLimits)} |`,
].join('\n');

/** Generates the table of rate limits in docs/operations.md from contract/limits.ts. */
export const generate = () => {
  const rows = Object.entries(rateLimitRules).map(
    ([name, { points, seconds, by, what, visitors }]: [string, RateLimitRule]) =>
      `| \`${name}\` | ${what} | ${points} in ${formatDuration(seconds)}${visitors ? `; ${points * visitors} by visitors of one address` : ''} | ${by} |`,
  );
  const meanings = Object.entries(rateLimitScopes).map(([name, meaning]) => `- *${name}*: ${meaning}.`);
  const text = [
    ['| limit | of what | how many | by |', '|---|---|---|---|', ...rows].join('\n'),
    meanings.join('\n'),
    tierTable,
    `An account is new for ${formatDuration(newAccountSeconds)}, and verified with the badge. Conversations count from their first message or offer. First messages are nearly the same when they share ${messageSimilarityThreshold * 100} % of their trigrams; those below ${minComparedMessageLength} characters do not count. The number of them within a day from which the person becomes a case of the moderators: ${tiers.map((tier) => `${tierNames[tier]} ${similarMessageSignalThresholds[tier]}`).join(', ')}.`,
  ];
  return [replaceSection('docs/operations.md', 'limits', text.join('\n\n'))];
};
