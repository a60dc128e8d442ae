import type { Category } from './categories.ts';
import type { ConversationDeal } from './conversations.ts';
import { getSaleOutcome, type SaleOutcome } from './selling.ts';

/** Maximum number of first questions that a buyer can choose from. */
const maxFirstQuestions = 3;

const isAvailable = 'Is this still available?';
const couldWeMeet = 'Could we meet this week?';

/** What a buyer can ask first. The questions of the category come after the general ones. */
const generalQuestions: Record<SaleOutcome, readonly string[]> = {
  sold: [isAvailable, couldWeMeet],
  given_away: [isAvailable, 'Could I pick it up this week?'],
  rented: [isAvailable, 'Which days is it free?'],
};
const questionByCategory: Partial<Record<Category, string>> = {
  furniture: 'Can you tell me its size?',
  electronics: 'Does everything work?',
  textbooks: 'Which edition is it?',
  clothing: 'Can you tell me its size?',
  kitchen: 'Does everything work?',
  'game-day': 'Could we meet before the game?',
  merchandise: 'Can you tell me its size?',
  'trojan-merch': 'Can you tell me its size?',
  rentals: 'Is there a deposit?',
  free: 'Can you tell me its size?',
};
const questionWhileOnHold = 'Could you tell me if it becomes available?';

/** What a seller can answer to the first question, besides the answer that fits the question. */
const answerOnHold = "It's on hold";
const answerGone: Record<SaleOutcome, string> = {
  sold: "Sorry, it's sold",
  given_away: "Sorry, it's gone",
  rented: "Sorry, it's rented out",
};
/** The positive answers, by what the question asks about. */
const positiveAnswers: readonly { pattern: RegExp; answer: string }[] = [
  { pattern: /\b(?:available|for sale|still (?:have|got|there|up))\b/i, answer: 'Yes, it is' },
  { pattern: /\b(?:meet|pick (?:it|this) up|come by)\b/i, answer: 'Yes, when works for you?' },
];

/** Returns up to three first questions for the buyer of a listing. */
export const listFirstQuestions = ({
  category,
  isOnHold = false,
}: {
  category: Category | null | undefined;
  isOnHold?: boolean | undefined;
}): string[] => {
  const special = category && questionByCategory[category];
  const general = generalQuestions[getSaleOutcome(category ?? null)];
  const last = isOnHold ? questionWhileOnHold : special;
  return [...general, ...(last ? [last] : [])].slice(0, maxFirstQuestions);
};

/** What decides how a seller can answer the first question. */
export interface FirstQuestion {
  text: string;
  category: Category | null | undefined;
  /** How the listing left the site, or null while it is still offered. */
  outcome: SaleOutcome | null;
  /** Whether the listing is offered now. */
  available: boolean;
  /** The open deal of the conversation. */
  deal: Pick<ConversationDeal, 'state' | 'turn' | 'waiting'> | null | undefined;
}

/** The next step of a deal that a seller can take instead of an answer. */
export type FirstStep = 'accept' | 'mark_sold';

export interface FirstAnswers {
  answers: string[];
  step?: FirstStep;
}

/**
 * Returns what the seller can answer to the buyer's first message with one tap, and the step of the deal that fits. Only
 * answers that can be true are offered: none while the item is on hold for this buyer, and none to a text that asks nothing.
 */
export const listFirstAnswers = ({
  text,
  category,
  outcome,
  available,
  deal,
}: FirstQuestion): FirstAnswers => {
  const positive = positiveAnswers.find(({ pattern }) => pattern.test(text))?.answer;
  const isQuestion = positive !== undefined || /[?؟？]/.test(text);
  if (!isQuestion || (deal && deal.state !== 'offered')) return { answers: [] };
  if (outcome) return { answers: [answerGone[outcome]] };
  const gone = answerGone[getSaleOutcome(category ?? null)];
  if (deal?.waiting) return { answers: [answerOnHold, gone] };
  const answers = [...(positive ? [positive] : []), answerOnHold, gone];
  if (deal) return deal.turn === 'seller' ? { answers, step: 'accept' } : { answers };
  return available ? { answers, step: 'mark_sold' } : { answers };
};
