// This table is the only definition of the transitions of a deal (deals.md, "The deal"). The server's checks,
// the buttons, the sentences in a conversation, the diagram in docs/deals.md and the model test are derived
// from it.

import { type DealKind, type DealParty, type DealState, serverEndableDealStates } from './deal-states.ts';

const minute = 60;
const hour = 60 * minute;

/** Durations of the deal process in seconds (deals.md, "The deal" and "Handover"). */
export const dealDurationSeconds = {
  answer: 48 * hour,
  confirm: 48 * hour,
  holdAgreedInChat: 72 * hour,
  silenceAfterHandover: 72 * hour,
  warningBeforeHoldEnds: 3 * hour,
  contest: 48 * hour,
  lateCancellation: 2 * hour,
  runningLate: 10 * minute,
  untilLateAgain: 15 * minute,
  arrivalAfterHandover: hour,
  questionAfterHandover: 3 * hour,
} as const;

/**
 * After the last day of a rental, the renter is reminded daily for this many days. Then both parties can
 * report the deal.
 */
export const overdueReminderDays = 7;

/**
 * The actors that can make a transition. `answerer` is the party that has to answer the offer, and `proposer`
 * is the other one. `other_proposer` is the party that did not make the latest proposal for the handover.
 * `reported` is the party that was reported as a no-show. `clock` acts when a deadline has passed, `server`
 * ends deals when a listing or an account is removed, and an `administrator` can end a rental.
 */
export type DealActor =
  | DealParty
  | 'either'
  | 'answerer'
  | 'proposer'
  | 'other_proposer'
  | 'reported'
  | 'clock'
  | 'server'
  | 'administrator';

/** Actors that are neither the buyer nor the seller. */
export const nonPartyActors = ['clock', 'server', 'administrator'] as const;
export type NonPartyActor = (typeof nonPartyActors)[number];

/**
 * How a transition sets the deadline. `answer` and `confirm` are fixed periods from now, and `hold` is the
 * hold period of the deal. `longer_hold` adds the hold period to the current deadline, and `agreed_in_chat`
 * adds 72 hours to it. `handover` is a fixed period after the agreed time. `reopened_hold` is a fixed period
 * from now, extended if an agreed handover or a rental's first day is later. `unchanged` keeps the current
 * deadline; a transition without a value removes it.
 */
export type DealDeadlineRule =
  | 'answer'
  | 'confirm'
  | 'hold'
  | 'longer_hold'
  | 'reopened_hold'
  | 'agreed_in_chat'
  | 'handover'
  | 'unchanged';

/**
 * The time window in which a transition is possible. `opens` and `closes` are in seconds, counted from the
 * time `from`, such as the handover. Negative values mean a time before it.
 */
export interface DealTransitionWindow {
  from: 'handover' | 'deadline' | 'last_transition';
  opens?: number;
  closes?: number;
}

/**
 * The sentences of an event line: for the party that acted, for the other party, and `neutral` for readers
 * who are neither (emails, exports and older clients). When no party acted, there is a sentence for the buyer
 * and one for the seller. `formatDealEventLine` replaces the words in braces.
 */
export type DealTransitionSentences =
  | { actor: string; other: string; neutral: string }
  | { buyer: string; seller: string; neutral: string };

export interface DealTransition {
  name: string;
  /** The states in which the transition is possible; `null` means that the transition starts a deal. */
  from: readonly (DealState | null)[];
  /** The state after the transition; `rentalTo` is the state of a rental if it differs. */
  to: DealState;
  rentalTo?: DealState;
  /** The kinds of deals in which the transition is possible; all kinds by default. */
  kinds?: readonly DealKind[];
  by: DealActor;
  /**
   * The party that has to answer after a transition to `offered`: `other` is the party that did not make the
   * transition, `unchanged` is the party that had to answer before.
   */
  turn?: 'other' | 'unchanged';
  deadline?: DealDeadlineRule;
  window?: DealTransitionWindow;
  /** The label of the transition's button; transitions without a label have no button. */
  label?: string;
  sentences: DealTransitionSentences;
}

const people = (actor: string, other: string, neutral: string) => ({ actor, other, neutral });
const sameForBoth = (sentence: string) => ({ buyer: sentence, seller: sentence, neutral: sentence });

/**
 * Returns the transitions by which the parties of a late rental agree on a price for the extra days, which nobody charges. They
 * leave the deal in its state.
 */
const createExtraPriceTransitions = <State extends DealState>(state: State) =>
  [
    {
      name: 'propose_extra_price',
      from: [state],
      to: state,
      kinds: ['rental'],
      by: 'seller',
      deadline: 'unchanged',
      label: 'Propose a price for the extra days',
      sentences: people(
        'You proposed {extra_price} for the extra days.',
        '{name} proposes {extra_price} for the extra days.',
        'The owner proposed {extra_price} for the extra days.',
      ),
    },
    {
      name: 'accept_extra_price',
      from: [state],
      to: state,
      kinds: ['rental'],
      by: 'buyer',
      deadline: 'unchanged',
      label: 'Agree to the extra price',
      sentences: people(
        'You agreed to {extra_price} for the extra days.',
        '{name} agreed to {extra_price} for the extra days.',
        'The renter agreed to {extra_price} for the extra days.',
      ),
    },
    {
      name: 'decline_extra_price',
      from: [state],
      to: state,
      kinds: ['rental'],
      by: 'buyer',
      deadline: 'unchanged',
      label: 'Decline the extra price',
      sentences: people(
        'You declined the price for the extra days.',
        '{name} declined the price for the extra days.',
        'The renter declined the price for the extra days.',
      ),
    },
  ] as const;

export const dealTransitions = [
  // Transitions of an offer and of the answers to it
  {
    name: 'offer',
    from: [null],
    to: 'offered',
    kinds: ['sale', 'rental'],
    by: 'buyer',
    turn: 'other',
    deadline: 'answer',
    sentences: people('You offered {terms}.', '{name} offered {terms}.', 'The buyer offered {terms}.'),
  },
  {
    name: 'claim',
    from: [null],
    to: 'offered',
    kinds: ['gift'],
    by: 'buyer',
    turn: 'other',
    deadline: 'answer',
    sentences: people(
      'You asked for this item.',
      '{name} would like this item.',
      'The buyer asked for this item.',
    ),
  },
  // The transition with which a buyer confirms that they bought the item, after the seller reported a sale
  // without a deal
  {
    name: 'confirm_sale',
    from: [null],
    to: 'completed',
    by: 'buyer',
    sentences: people(
      'You confirmed that it went to you.',
      '{name} confirmed that it went to them.',
      'The buyer confirmed that the item went to them.',
    ),
  },
  {
    name: 'counter',
    from: ['offered'],
    to: 'offered',
    kinds: ['sale', 'rental'],
    by: 'answerer',
    turn: 'other',
    deadline: 'answer',
    label: 'Make a counter-offer',
    sentences: people('You suggested {terms}.', '{name} suggested {terms}.', '{by} suggested {terms}.'),
  },
  {
    name: 'accept',
    from: ['offered'],
    to: 'held',
    by: 'answerer',
    deadline: 'hold',
    label: 'Accept',
    sentences: people(
      'You accepted. The item is on hold until {deadline}.',
      '{name} accepted. The item is on hold until {deadline}.',
      '{by} accepted. The item is on hold until {deadline}.',
    ),
  },
  {
    name: 'decline',
    from: ['offered'],
    to: 'declined',
    by: 'answerer',
    label: 'Decline',
    sentences: people('You declined.', '{name} declined.', '{by} declined.'),
  },
  {
    name: 'withdraw',
    from: ['offered'],
    to: 'withdrawn',
    kinds: ['sale', 'rental'],
    by: 'proposer',
    label: 'Withdraw',
    sentences: people('You withdrew your offer.', '{name} withdrew the offer.', '{by} withdrew the offer.'),
  },
  {
    name: 'withdraw',
    from: ['offered'],
    to: 'withdrawn',
    kinds: ['gift'],
    by: 'proposer',
    label: 'Withdraw',
    sentences: people(
      'You withdrew your request.',
      '{name} withdrew the request.',
      '{by} withdrew the request.',
    ),
  },
  {
    name: 'expire',
    from: ['offered'],
    to: 'expired',
    kinds: ['sale', 'rental'],
    by: 'clock',
    sentences: sameForBoth('The offer expired without an answer.'),
  },
  {
    name: 'expire',
    from: ['offered'],
    to: 'expired',
    kinds: ['gift'],
    by: 'clock',
    sentences: sameForBoth('The request expired without an answer.'),
  },
  {
    name: 'renew',
    from: ['offered'],
    to: 'offered',
    kinds: ['sale', 'rental'],
    by: 'server',
    turn: 'unchanged',
    deadline: 'answer',
    sentences: sameForBoth('The item is available again. The offer now stands until {deadline}.'),
  },
  {
    // When a hold ends without a handover, or a draw has been made, the server gives waiting requests for the
    // free item a new deadline.
    name: 'renew',
    from: ['offered'],
    to: 'offered',
    kinds: ['gift'],
    by: 'server',
    turn: 'unchanged',
    deadline: 'answer',
    sentences: {
      buyer: 'The item can be given away now. Your request stands until {deadline}.',
      seller: 'The item can be given away now. The request of {name} stands until {deadline}.',
      neutral: 'The item can be given away now. The request stands until {deadline}.',
    },
  },

  // Transitions of the hold and of the handover
  {
    name: 'propose_handover',
    from: ['held'],
    to: 'held',
    by: 'either',
    deadline: 'unchanged',
    label: 'Suggest a time and place',
    sentences: people(
      'You suggested meeting at {place}: {times}.',
      '{name} suggested meeting at {place}: {times}.',
      '{by} suggested meeting at {place}: {times}.',
    ),
  },
  {
    name: 'agree_handover',
    from: ['held'],
    to: 'held',
    by: 'other_proposer',
    deadline: 'handover',
    label: 'Agree to a time',
    sentences: people(
      'You agreed to meet at {place}, {time}.',
      '{name} agreed to meet at {place}, {time}.',
      '{by} agreed to meet at {place}, {time}.',
    ),
  },
  {
    name: 'agreed_in_chat',
    from: ['held'],
    to: 'held',
    by: 'either',
    deadline: 'agreed_in_chat',
    window: { from: 'deadline', opens: -dealDurationSeconds.warningBeforeHoldEnds },
    label: 'We agreed in chat',
    sentences: people(
      'You noted that you agreed in chat. The hold now ends {deadline}.',
      '{name} noted that you agreed in chat. The hold now ends {deadline}.',
      '{by} noted an agreement in chat. The hold now ends {deadline}.',
    ),
  },
  {
    name: 'keep_hold',
    from: ['held'],
    to: 'held',
    by: 'seller',
    deadline: 'longer_hold',
    window: { from: 'deadline', opens: -dealDurationSeconds.warningBeforeHoldEnds },
    label: 'Keep it on hold',
    sentences: people(
      'You extended the hold until {deadline}.',
      '{name} extended the hold until {deadline}.',
      'The seller extended the hold until {deadline}.',
    ),
  },
  {
    name: 'here',
    from: ['held'],
    to: 'held',
    by: 'either',
    deadline: 'unchanged',
    window: { from: 'handover', opens: -hour, closes: dealDurationSeconds.arrivalAfterHandover },
    label: 'I’m here',
    sentences: people('You are at the meeting spot.', '{name} is here.', '{by} is at the meeting spot.'),
  },
  {
    name: 'running_late',
    from: ['held'],
    to: 'held',
    by: 'either',
    deadline: 'unchanged',
    window: { from: 'handover', opens: -hour, closes: dealDurationSeconds.arrivalAfterHandover },
    label: 'Running late (10 min)',
    sentences: people(
      'You are running 10 minutes late.',
      '{name} is running 10 minutes late.',
      '{by} is running 10 minutes late.',
    ),
  },
  {
    name: 'handed_over',
    from: ['held'],
    to: 'handed_over',
    by: 'seller',
    deadline: 'confirm',
    label: 'I handed it over',
    sentences: people(
      'You handed it over. {name} has until {deadline} to object.',
      '{name} says that you have it. Confirm it, or object until {deadline}.',
      'The seller reported the handover.',
    ),
  },
  // The seller of tickets sent them through an app.
  {
    name: 'transferred',
    from: ['held'],
    to: 'handed_over',
    kinds: ['sale'],
    by: 'seller',
    deadline: 'confirm',
    label: 'Transferred',
    sentences: people(
      'You transferred the tickets. {name} has until {deadline} to object.',
      '{name} says that you have the tickets. Confirm it, or object until {deadline}.',
      'The seller reported the transfer of the tickets.',
    ),
  },
  {
    name: 'received',
    from: ['held', 'handed_over'],
    to: 'completed',
    rentalTo: 'out',
    by: 'buyer',
    label: 'I have it',
    sentences: people('You have it.', '{name} has it.', 'The buyer has the item.'),
  },
  {
    name: 'object',
    from: ['handed_over'],
    to: 'held',
    by: 'buyer',
    deadline: 'reopened_hold',
    label: 'This didn’t happen',
    sentences: people(
      'You said that the handover didn’t happen. The item is on hold until {deadline}.',
      '{name} says that the handover didn’t happen. The item is on hold until {deadline}.',
      'The buyer objected: the handover didn’t happen.',
    ),
  },
  {
    name: 'confirm',
    from: ['handed_over'],
    to: 'completed',
    rentalTo: 'out',
    by: 'clock',
    sentences: sameForBoth('Nobody objected to the handover, so it counts as done.'),
  },
  {
    name: 'cancel',
    from: ['held'],
    to: 'cancelled',
    by: 'either',
    label: 'Cancel',
    sentences: people(
      'You cancelled: {reason}',
      '{name} cancelled: {reason}',
      '{by} cancelled the deal: {reason}',
    ),
  },
  {
    name: 'report_no_show',
    from: ['held'],
    to: 'no_show',
    by: 'either',
    window: { from: 'handover', opens: 15 * minute, closes: 24 * hour },
    label: 'They didn’t show up',
    sentences: people(
      'You reported that {name} didn’t come. The item is free again.',
      '{name} reported that you didn’t come. If that’s wrong, say so within 48 hours.',
      '{by} reported that the other person didn’t come.',
    ),
  },
  {
    name: 'report_no_show',
    from: ['no_show'],
    to: 'no_show',
    by: 'reported',
    window: { from: 'handover', opens: 15 * minute, closes: 24 * hour },
    label: 'They didn’t show up',
    sentences: people(
      'You reported that {name} didn’t come. Both reports count for nobody.',
      '{name} reported that you didn’t come either. Both reports count for nobody.',
      '{by} reported that the other person didn’t come either.',
    ),
  },
  {
    name: 'contest',
    from: ['no_show'],
    to: 'no_show',
    by: 'reported',
    window: { from: 'last_transition', closes: dealDurationSeconds.contest },
    label: 'I was there',
    sentences: people(
      'You contested the report. It counts for nobody.',
      '{name} contested the report. It counts for nobody.',
      '{by} contested the report, which counts for nobody.',
    ),
  },
  {
    name: 'lapse',
    from: ['held'],
    to: 'lapsed',
    by: 'clock',
    sentences: sameForBoth('The hold ended without a handover.'),
  },

  // Transitions of a rental after its handover
  {
    name: 'extend',
    from: ['out'],
    to: 'out',
    kinds: ['rental'],
    by: 'buyer',
    deadline: 'unchanged',
    label: 'Ask to keep it longer',
    sentences: people(
      'You asked to keep it until {last_day}.',
      '{name} asked to keep it until {last_day}.',
      'The renter asked to keep it until {last_day}.',
    ),
  },
  {
    name: 'accept_extension',
    from: ['out'],
    to: 'out',
    kinds: ['rental'],
    by: 'seller',
    deadline: 'unchanged',
    label: 'Accept the extension',
    sentences: people(
      'You extended the rental until {last_day}.',
      '{name} extended the rental until {last_day}.',
      'The owner extended the rental until {last_day}.',
    ),
  },
  {
    name: 'decline_extension',
    from: ['out'],
    to: 'out',
    kinds: ['rental'],
    by: 'seller',
    deadline: 'unchanged',
    label: 'Decline the extension',
    sentences: people(
      'You declined the extension. The rental ends on {last_day}.',
      '{name} declined the extension. The rental ends on {last_day}.',
      'The owner declined the extension.',
    ),
  },
  ...createExtraPriceTransitions('out'),
  ...createExtraPriceTransitions('back'),
  {
    name: 'returned',
    from: ['out'],
    to: 'back',
    kinds: ['rental'],
    by: 'buyer',
    deadline: 'confirm',
    label: 'Returned',
    sentences: people(
      'You returned it. {name} has until {deadline} to object.',
      '{name} says that you have it back. Confirm it, or object until {deadline}.',
      'The renter reported the return.',
    ),
  },
  {
    name: 'returned',
    from: ['out', 'back'],
    to: 'completed',
    kinds: ['rental'],
    by: 'seller',
    label: 'It’s back',
    sentences: people('You have it back.', '{name} has it back.', 'The owner has the item back.'),
  },
  {
    name: 'object',
    from: ['back'],
    to: 'out',
    kinds: ['rental'],
    by: 'seller',
    label: 'It’s not back',
    sentences: people(
      'You said that you don’t have it back.',
      '{name} doesn’t have it back.',
      'The owner objected: the item is not back.',
    ),
  },
  {
    name: 'confirm',
    from: ['back'],
    to: 'completed',
    kinds: ['rental'],
    by: 'clock',
    sentences: sameForBoth('Nobody objected to the return, so it counts as done.'),
  },

  // Transitions that end a deal for an external reason, such as a deleted account
  {
    name: 'end',
    from: serverEndableDealStates,
    to: 'closed',
    by: 'server',
    sentences: sameForBoth('This deal was closed: {cause}'),
  },
  {
    name: 'end_rental',
    from: ['handed_over', 'out', 'back'],
    to: 'closed',
    kinds: ['rental'],
    by: 'administrator',
    sentences: sameForBoth('An administrator ended this rental: {reason}'),
  },
] as const satisfies readonly DealTransition[];

export type DealTransitionName = (typeof dealTransitions)[number]['name'];
