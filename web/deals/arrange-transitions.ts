import { isMeetingQuestionDue } from '#contract/deal-alerts.ts';
import { type DealParty, getOtherParty } from '#contract/deal-states.ts';
import type { DealTransitionName } from '#contract/deal-transitions.ts';
import type { Deal } from '#contract/deals.ts';

/** Maximum number of buttons for transitions; further transitions are in a menu. */
const maxButtons = 2;

/** Transitions with a button, most important first. */
const buttonNames: readonly DealTransitionName[] = [
  'accept',
  'contest',
  'accept_extension',
  'accept_extra_price',
  'here',
  'agreed_in_chat',
  'keep_hold',
  'returned',
  'received',
  'transferred',
  'handed_over',
  'running_late',
  'counter',
  'decline',
  'object',
  'decline_extension',
  'decline_extra_price',
];
/** Transitions in the menu. If there is no other button, the first of them becomes a button. */
const menuNames: readonly DealTransitionName[] = [
  'propose_handover',
  'extend',
  'propose_extra_price',
  'report_no_show',
  'withdraw',
  'cancel',
];

/**
 * Transitions that answer the question whether the parties met: confirming the handover, suggesting a new
 * time, or canceling.
 */
const meetingAnswers: readonly DealTransitionName[] = [
  'received',
  'handed_over',
  'propose_handover',
  'cancel',
];

/** Transitions that refuse, correct or delay something. None of them is ever the recommended next step. */
const neverPrimary: readonly DealTransitionName[] = [
  'counter',
  'decline',
  'object',
  'running_late',
  'decline_extension',
  'decline_extra_price',
];

export interface ArrangedTransitions {
  /** The recommended next step, or undefined if the person can only wait. */
  primary: DealTransitionName | undefined;
  /** Further transitions with a button. */
  secondary: DealTransitionName[];
  menu: DealTransitionName[];
}

const isHandoverDue = ({ handover }: Deal, now: Date): boolean =>
  Boolean(handover?.time && Date.parse(handover.time) <= now.getTime());

/** Returns whether the other party has said that they are at the meeting spot. */
const isOtherHere = ({ handover, transitions }: Deal): boolean => {
  const party: DealParty = transitions.includes('received') ? 'buyer' : 'seller';
  return handover?.arrivals?.[getOtherParty(party)] === 'here';
};

/**
 * Divides the possible transitions of a deal into a primary button, secondary buttons and a menu. Leaves
 * out `agree_handover`, because every suggested time has its own button.
 */
export const arrangeTransitions = (deal: Deal, now: Date): ArrangedTransitions => {
  const due = isHandoverDue(deal, now) || isOtherHere(deal);
  const hasProposal = Boolean(deal.handover?.proposal);
  const isAnswerable = deal.transitions.includes('agree_handover');
  const isEnding = deal.transitions.some((name) => name === 'keep_hold' || name === 'agreed_in_chat');
  const first: DealTransitionName[] = [];
  if (due) first.push('received', 'handed_over');
  else if (deal.state === 'held' && !deal.handover?.agreed && !isEnding)
    first.push('transferred', 'propose_handover');
  const ordered = [...new Set([...first, ...buttonNames, ...menuNames])].filter((name) =>
    deal.transitions.includes(name),
  );
  const isButton = (name: DealTransitionName) => first.includes(name) || buttonNames.includes(name);
  if (isMeetingQuestionDue(deal, now)) {
    const answers = meetingAnswers.filter((name) => deal.transitions.includes(name));
    const isDone = answers[0] === 'received' || answers[0] === 'handed_over';
    return {
      primary: isDone ? answers[0] : undefined,
      secondary: answers.slice(isDone ? 1 : 0),
      menu: ordered.filter((name) => !answers.includes(name)),
    };
  }
  // If suggested times can be accepted, each of them has a button too, so show only one other button.
  const buttons = ordered.filter(isButton).slice(0, isAnswerable ? 1 : maxButtons);
  const shown = buttons.length > 0 ? buttons : ordered.slice(0, 1);
  const [candidate] = buttons;
  // The first button is secondary if it is not the recommended next step: if it confirms a handover whose
  // agreed time has not come, if the buttons of the suggested times come first, or if the other party has
  // yet to respond to a suggestion.
  const isConfirmation = candidate === 'received' || candidate === 'handed_over';
  const isSecondary =
    !candidate ||
    neverPrimary.includes(candidate) ||
    (deal.state === 'held' &&
      ((isConfirmation && !due) || isAnswerable || (candidate === 'propose_handover' && hasProposal)));
  const primary = isSecondary ? undefined : candidate;
  return {
    primary,
    secondary: shown.filter((name) => name !== primary),
    menu: ordered.filter((name) => !shown.includes(name)),
  };
};
