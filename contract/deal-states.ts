export const dealKinds = ['sale', 'gift', 'rental'] as const;
export type DealKind = (typeof dealKinds)[number];

export const dealParties = ['buyer', 'seller'] as const;
export type DealParty = (typeof dealParties)[number];

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
 * The states in which a deal reserves its listing (or, for a rental, certain days of it). `out` and `back`
 * occur only in rentals, because sales and gifts end with the handover.
 */
export const reservingDealStates = ['held', 'handed_over', 'out', 'back'] as const;

/**
 * The states (offers and holds) in which the server ends a deal when its listing, or the account of one of
 * its parties, is removed.
 */
export const serverEndableDealStates = ['offered', 'held'] as const;

/** The states of a rental from the handover of the item until the owner confirms its return. */
export const rentedOutDealStates = ['handed_over', 'out', 'back'] as const;

/** Returns the seller for the buyer, and the buyer for the seller. */
export const getOtherParty = (party: DealParty): DealParty => (party === 'buyer' ? 'seller' : 'buyer');

const isOneOf = <T>(list: readonly T[], value: unknown): value is T => list.includes(value as T);

/** Returns whether a deal in this state is not over yet. */
export const isOpenDealState = (state: DealState): state is (typeof openDealStates)[number] =>
  isOneOf(openDealStates, state);

/** Returns whether a deal in this state reserves its listing, or certain days of a rental. */
export const isReservingDealState = (state: DealState): state is (typeof reservingDealStates)[number] =>
  isOneOf(reservingDealStates, state);

/** Returns whether a deal in this state is an offer or a hold. */
export const isServerEndableDealState = (
  state: DealState,
): state is (typeof serverEndableDealStates)[number] => isOneOf(serverEndableDealStates, state);
