// The deal process (deals.md, "The deal"): its states and transitions exist only here. The server's
// checks, the buttons, the sentences in a conversation, the diagram in docs/deals.md and the model
// test are derived from these tables.

export const dealKinds = ['sale', 'gift', 'rental'] as const;
export type DealKind = (typeof dealKinds)[number];

export type DealParty = 'buyer' | 'seller';

export const dealStates = [
  'offered',
  'held',
  'handed_over',
  'out',
  'back',
  'completed',
  'no_show',
  'declined',
  'withdrawn',
  'expired',
  'lapsed',
  'cancelled',
  'closed',
] as const;
export type DealState = (typeof dealStates)[number];

/** The states in which a deal is not over yet. A buyer has at most one such deal per listing. */
export const openDealStates = ['offered', 'held', 'handed_over', 'out', 'back'] as const;

/**
 * The states in which a deal occupies its listing (a rental: its days). A sale or gift leaves them
 * when it is over, so `out` and `back` occur only in rentals.
 */
export const occupyingDealStates = ['held', 'handed_over', 'out', 'back'] as const;

/** The states that the server ends when a listing or an account is removed: offers and holds. */
export const endableDealStates = ['offered', 'held'] as const;

/** The states of a rental whose owner has handed the item over and has not confirmed its return. */
export const rentedOutDealStates = ['handed_over', 'out', 'back'] as const;

const minute = 60;
const hour = 60 * minute;

/** Durations of the deal process in seconds (deals.md, "The deal" and "Handover"). */
export const dealSeconds = {
  answer: 48 * hour,
  confirm: 48 * hour,
  holdAgreedInChat: 72 * hour,
  silenceAfterHandover: 72 * hour,
  warningBeforeHoldEnds: 3 * hour,
  contest: 48 * hour,
  lateCancellation: 2 * hour,
  runningLate: 10 * minute,
  questionAfterHandover: 3 * hour,
} as const;

/** Days after the last day of a rental on which the renter is reminded. Afterwards both parties can report it. */
export const overdueReminderDays = 7;

/**
 * The actors of transitions. `answerer` is the party whose turn it is, and `proposer` the other one;
 * `other_proposer` is the party that did not make the latest proposal for the handover; `reported` is the
 * party whose absence was reported. `clock` acts when a deadline has passed, and `server` ends deals when
 * a listing or an account is removed; an `administrator` can end a rental.
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

/** The actors that are no party of the deal. */
export const nonPartyActors = ['clock', 'server', 'administrator'] as const;
export type NonPartyActor = (typeof nonPartyActors)[number];

/**
 * The deadline that a transition sets: `answer` and `confirm` are fixed durations, `hold` is the
 * hold period of the deal, `longer_hold` adds it to the current deadline, `agreed_in_chat` adds its
 * duration to the current deadline, and `handover` follows the agreed time. `reopened_hold` is a
 * fixed duration, but does not end before an agreed time or the first day of a rental would end it. A transition without a
 * deadline removes the current one, and `unchanged` leaves it.
 */
export type DealDeadline =
  | 'answer'
  | 'confirm'
  | 'hold'
  | 'longer_hold'
  | 'reopened_hold'
  | 'agreed_in_chat'
  | 'handover'
  | 'unchanged';

/** A period in which a transition is possible, in seconds after (negative: before) an instant. */
export interface DealWindow {
  from: 'handover' | 'deadline' | 'last_transition';
  opens?: number;
  closes?: number;
}

/**
 * The sentences of an event line: for the party that acted, for the other party, and for readers who are
 * neither (old clients, emails and exports). Event lines for which the clock or the server is responsible
 * have one for each party instead. Words in braces are replaced by `formatDealLine`.
 */
export type DealSentences =
  | { actor: string; other: string; neutral: string }
  | { buyer: string; seller: string; neutral: string };

export interface DealTransition {
  name: string;
  /** The states in which it is possible; `null` starts a deal. */
  from: readonly (DealState | null)[];
  /** The state to which it leads; a rental may enter another one. */
  to: DealState;
  rentalTo?: DealState;
  /** The kinds of deals that have this transition; all by default. */
  kinds?: readonly DealKind[];
  by: DealActor;
  /** Whose turn it is afterwards, in `offered` only: the party that did not act, or the same one as before. */
  turn?: 'other' | 'unchanged';
  deadline?: DealDeadline;
  window?: DealWindow;
  /** The label of its button. Transitions without a label have no button. */
  label?: string;
  sentences: DealSentences;
}

const people = (actor: string, other: string, neutral: string) => ({ actor, other, neutral });
const sameForBoth = (sentence: string) => ({ buyer: sentence, seller: sentence, neutral: sentence });

export const dealTransitions = [
  // An offer and its answers
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
  // A sale without a deal, which the seller reported and the buyer confirms
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
    // The server renews claims when a hold ends, and when their order has been drawn.
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

  // The hold and the handover
  {
    name: 'propose_handover',
    from: ['held'],
    to: 'held',
    by: 'either',
    deadline: 'unchanged',
    label: 'Suggest a time and place',
    sentences: people(
      'You suggested to meet at {place}: {times}.',
      '{name} suggested to meet at {place}: {times}.',
      '{by} suggested to meet at {place}: {times}.',
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
    window: { from: 'deadline', opens: -dealSeconds.warningBeforeHoldEnds },
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
    window: { from: 'deadline', opens: -dealSeconds.warningBeforeHoldEnds },
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
    window: { from: 'handover', opens: -hour, closes: hour },
    label: 'I’m here',
    sentences: people('You are at the meeting spot.', '{name} is here.', '{by} is at the meeting spot.'),
  },
  {
    name: 'running_late',
    from: ['held'],
    to: 'held',
    by: 'either',
    deadline: 'unchanged',
    window: { from: 'handover', opens: -hour, closes: hour },
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
    window: { from: 'last_transition', closes: dealSeconds.contest },
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

  // A rental that was handed over
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

  // The end of a deal for reasons outside of it
  {
    name: 'end',
    from: endableDealStates,
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

const isOneOf = <T>(list: readonly T[], value: unknown): value is T => list.includes(value as T);

/** Returns whether a deal in this state is not over yet. */
export const isOpenDealState = (state: DealState): state is (typeof openDealStates)[number] =>
  isOneOf(openDealStates, state);

/** Returns whether a deal in this state occupies its listing, or the days of a rental. */
export const isOccupyingDealState = (state: DealState): state is (typeof occupyingDealStates)[number] =>
  isOneOf(occupyingDealStates, state);

/** Returns whether a deal in this state is an offer or a hold. */
export const isEndableDealState = (state: DealState): state is (typeof endableDealStates)[number] =>
  isOneOf(endableDealStates, state);

/** The facts about a deal that decide which transitions are possible. */
export interface DealFacts {
  kind: DealKind;
  state: DealState;
  /** The party that answers the current offer; null when it is nobody's turn. */
  turn: DealParty | null;
  deadline_at: Date | null;
  /** Number of offers and counter-offers so far. */
  offer_count: number;
  /** The party that made the latest proposal for the handover; null when there is none. */
  handover_proposed_by: DealParty | null;
  /** The agreed time of the handover; null until one is agreed. */
  handover_at: Date | null;
  /**
   * Whether a party has announced that they are running late. Absence can then be reported ten minutes
   * later.
   */
  is_running_late: boolean;
  has_agreed_in_chat: boolean;
  has_kept_hold: boolean;
  has_objected: boolean;
  /** The last day that the renter asked for; null when there is no open request. */
  requested_last_day: string | null;
  /** The party whose absence was reported; null when there is no report or both reported. */
  reported: DealParty | null;
  is_contested: boolean;
  /** When the latest transition was made. */
  changed_at: Date;
}

/** Maximum number of offers and counter-offers in a deal. */
export const maxOffersPerDeal = 6;

/** Returns the other party. */
export const getOtherParty = (party: DealParty): DealParty => (party === 'buyer' ? 'seller' : 'buyer');

/** Returns whether an actor is no party of the deal. */
export const isNonPartyActor = (actor: DealActor): actor is NonPartyActor => isOneOf(nonPartyActors, actor);

const isActor = (by: DealActor, deal: DealFacts, actor: DealParty | NonPartyActor): boolean => {
  if (isNonPartyActor(actor)) return by === actor;
  switch (by) {
    case 'either':
      return true;
    case 'answerer':
      return deal.turn === actor;
    case 'proposer':
      return deal.turn === getOtherParty(actor);
    case 'other_proposer':
      return deal.handover_proposed_by === getOtherParty(actor);
    case 'reported':
      return deal.reported === actor;
    default:
      return by === actor;
  }
};

/**
 * Returns whether a cancellation at the instant `now` counts as late: less than two hours before the agreed
 * time of the handover, or after it (deals.md, "Handover"). A renter whose item an earlier renter has not
 * returned may cancel at any time. `by` is the party that cancels; null is the server.
 */
export const isLateCancellation = (
  {
    handover_at: handoverAt,
    item_overdue: isItemOverdue,
  }: { handover_at: Date | null; item_overdue: boolean },
  by: DealParty | null,
  now: Date,
): boolean =>
  handoverAt !== null &&
  !(isItemOverdue && by === 'buyer') &&
  now.getTime() > handoverAt.getTime() - dealSeconds.lateCancellation * 1000;

/** Conditions that the columns of the table cannot express, by transition. */
const conditions: Partial<Record<DealTransitionName, (deal: DealFacts) => boolean>> = {
  counter: (deal) => deal.offer_count < maxOffersPerDeal,
  agreed_in_chat: (deal) => !deal.has_agreed_in_chat && deal.handover_at === null,
  keep_hold: (deal) => !deal.has_kept_hold && deal.handover_at === null,
  object: (deal) => deal.state === 'back' || !deal.has_objected,
  // A second request is not possible before the answer, because the owner must accept the day they saw.
  extend: (deal) => deal.requested_last_day === null,
  accept_extension: (deal) => deal.requested_last_day !== null,
  decline_extension: (deal) => deal.requested_last_day !== null,
  contest: (deal) => !deal.is_contested,
};

const isInWindow = (window: DealWindow | undefined, deal: DealFacts, now: Date): boolean => {
  if (!window) return true;
  const instants = {
    handover: deal.handover_at,
    deadline: deal.deadline_at,
    last_transition: deal.changed_at,
  };
  const start = instants[window.from];
  if (!start) return false;
  const lateness = window.from === 'handover' && deal.is_running_late ? dealSeconds.runningLate : 0;
  const seconds = (now.getTime() - start.getTime()) / 1000;
  const { opens = Number.NEGATIVE_INFINITY, closes = Number.POSITIVE_INFINITY } = window;
  return seconds >= opens + (opens > 0 ? lateness : 0) && seconds <= closes;
};

const getTransition = (name: DealTransitionName): DealTransition => {
  const row = dealTransitions.find((it) => it.name === name);
  if (!row) throw new Error(`There is no transition ${name}`);
  return row;
};

/** The transition that records a sale without a deal, of any kind, once its buyer has confirmed it. */
export const confirmSaleTransition: DealTransition = getTransition('confirm_sale');

/** Returns the transition that starts a deal of this kind. */
export const findStartTransition = (kind: DealKind): DealTransition => {
  const row = dealTransitions.find(
    (it: DealTransition) =>
      it.from.includes(null) && it !== confirmSaleTransition && (it.kinds?.includes(kind) ?? true),
  );
  if (!row) throw new Error(`No transition starts a deal of the kind ${kind}`);
  return row;
};

/**
 * Returns the transition that `actor` can make at the instant `now`; undefined when it is not possible.
 * After its deadline only the clock can change a deal, whether or not the job has run yet; the seller's
 * and buyer's own clocks do not matter.
 */
export const findTransition = (
  deal: DealFacts,
  name: DealTransitionName,
  actor: DealParty | NonPartyActor,
  now: Date,
): DealTransition | undefined => {
  const isPastDeadline = deal.deadline_at !== null && now >= deal.deadline_at;
  // Server and administrators may end a deal whose deadline has just passed.
  if (actor !== 'server' && actor !== 'administrator' && isPastDeadline !== (actor === 'clock'))
    return undefined;
  return dealTransitions.find(
    (row: DealTransition) =>
      row.name === name &&
      row.from.includes(deal.state) &&
      (row.kinds ?? dealKinds).includes(deal.kind) &&
      isActor(row.by, deal, actor) &&
      isInWindow(row.window, deal, now) &&
      (conditions[name]?.(deal) ?? true),
  );
};

/** Returns the names of the transitions that a party can make at the instant `now`, in the table's order. */
export const listTransitions = (deal: DealFacts, party: DealParty, now: Date): DealTransitionName[] => {
  const names = dealTransitions.map(({ name }) => name);
  return [...new Set(names)].filter((name) => findTransition(deal, name, party, now));
};

/** Returns the transition that the clock makes when the deadline of a deal in this state has passed. */
export const findClockTransition = (state: DealState): DealTransitionName | undefined =>
  dealTransitions.find((row: DealTransition) => row.by === 'clock' && row.from.includes(state))?.name;

/** Returns the state that a transition enters. */
export const getTargetState = (row: DealTransition, kind: DealKind): DealState =>
  (kind === 'rental' ? row.rentalTo : undefined) ?? row.to;
