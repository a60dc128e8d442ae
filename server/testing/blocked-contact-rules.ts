import { randomUUID } from 'node:crypto';
import type { calls } from '#contract/calls.ts';
import type { Person } from './app.ts';

type CallName = keyof typeof calls;
type WritingCallName = {
  [Name in CallName]: (typeof calls)[Name]['method'] extends 'GET' ? never : Name;
}[CallName];

/**
 * Two people with listings, a conversation and deals between them; `me` is the person who sends the requests.
 */
export interface BlockedContactFixtures {
  me: Person;
  other: Person;
  /** A listing of the other person that `me` has not written about. */
  otherListing: string;
  /** A listing of `me` that the other person wrote about. */
  ownListing: string;
  /** The conversation about `ownListing`. */
  conversation: string;
  /** A wanted post of the other person. */
  otherWanted: string;
  /** An offer by the other person on `ownListing`. */
  offer: string;
  /** A completed deal between the two people. */
  completedDeal: string;
}

interface RequestParts {
  params?: Record<string, string>;
  body?: object;
}

/**
 * How a call between two people behaves when one of the two has blocked the other or is suspended: `own`
 * means that the call does not reach the other person; `allowed` means that it may reach the other person,
 * for the given reason; `refused` means that the given request is refused.
 */
type BlockedContactRule =
  | 'own'
  | { allowed: string }
  | { refused: (fixtures: BlockedContactFixtures) => RequestParts };

/** The rule for each call that changes data, except calls of the moderation console. */
export const blockedContactRuleByCall: Record<WritingCallName, BlockedContactRule> = {
  // Rules for calls about accounts and profiles
  signup: 'own',
  sendVerificationCode: 'own',
  sendOtp: 'own',
  verifyOtp: 'own',
  loginPassword: 'own',
  forgotPassword: 'own',
  resetPassword: 'own',
  sendSignOnCode: 'own',
  connectSignOn: 'own',
  reauthenticate: 'own',
  endSession: 'own',
  updateMe: 'own',
  requestCampusCode: 'own',
  verifyCampusAddress: 'own',
  requestMembershipLink: 'own',
  removeCampusAddress: 'own',
  deleteMe: 'own',
  reviewDeal: { allowed: 'Blocking does not change who may review.' },
  // Rules for calls about listings, which are public
  createListing: 'own',
  setListingStatus: 'own',
  changeListingPrice: 'own',
  deleteListing: 'own',
  restoreListing: 'own',
  markListingSold: {
    refused: ({ ownListing, other }) => ({ params: { id: ownListing }, body: { to_user_id: other.userId } }),
  },
  relistListing: 'own',
  answerAvailability: 'own',
  copyListing: 'own',
  setAway: 'own',
  endAway: 'own',
  answerSale: {
    allowed: 'It answers what the seller claimed, without which the two may not review each other.',
  },
  saveListing: 'own',
  saveListings: 'own',
  removeSavedListing: 'own',
  removeUnavailableListings: 'own',
  saveSearch: 'own',
  changeSavedSearch: 'own',
  deleteSavedSearch: 'own',
  // Rules for calls about wanted posts
  createWantedPost: 'own',
  changeWantedPost: 'own',
  closeWantedPost: 'own',
  countWantedMatches: 'own',
  tellPeople: 'own',
  answerWantedPost: {
    refused: ({ otherWanted, ownListing }) => ({
      params: { id: otherWanted },
      body: { client_id: randomUUID(), listing_id: ownListing, text: 'I have this. Do you still need it?' },
    }),
  },
  // Rules for calls about notifications
  readNotifications: 'own',
  changeNotificationSettings: 'own',
  savePushSubscription: 'own',
  removePushSubscription: 'own',
  checkShownPushes: 'own',
  // Rules for calls about blocked people, who get no notification
  blockPerson: 'own',
  unblockPerson: 'own',
  // Rules for calls about conversations
  openConversation: { refused: ({ otherListing }) => ({ body: { listing_id: otherListing } }) },
  sendMessage: {
    refused: ({ conversation }) => ({
      params: { id: conversation },
      body: { client_id: randomUUID(), message_text: 'Why don’t you answer?' },
    }),
  },
  unsendMessage: { allowed: 'A person can always take back what they wrote.' },
  markRead: 'own',
  changeConversation: 'own',
  notifySellerNewMessage: { refused: ({ conversation }) => ({ body: { conversationId: conversation } }) },
  // Rules for calls about deals
  startDeal: {
    refused: ({ otherListing }) => ({ body: { client_id: randomUUID(), listing_id: otherListing } }),
  },
  makeDealTransition: {
    refused: ({ offer }) => ({
      params: { id: offer },
      body: { client_id: randomUUID(), transition: 'counter', price: 20 },
    }),
  },
  addRentalPhotos: {
    refused: ({ offer }) => ({
      params: { id: offer },
      body: { client_id: randomUUID(), step: 'return', photos: [randomUUID()] },
    }),
  },
  removeRentalPhotos: { allowed: 'A person can always take back what they sent.' },
  // Rules for calls that send forms to the support address or reports to moderators
  report: 'own',
  appeal: 'own',
  sendReport: 'own',
  sendContact: 'own',
  requestDataDeletion: 'own',
};

/** Path parameters for the calls that read data, by the name of the call. */
export const pathParamsOfReadCalls: Partial<
  Record<CallName, (fixtures: BlockedContactFixtures) => Record<string, string>>
> = {
  getBook: () => ({ isbn: '9780306406157' }),
  getDealReviews: ({ completedDeal }) => ({ id: completedDeal }),
  getMyListing: ({ ownListing }) => ({ id: ownListing }),
  listInterestedPeople: ({ ownListing }) => ({ id: ownListing }),
  countPeopleToTell: ({ ownListing }) => ({ id: ownListing }),
  listListingsToAnswerWith: ({ otherWanted }) => ({ id: otherWanted }),
  findConversation: ({ otherListing }) => ({ id: otherListing }),
  getConversation: ({ conversation }) => ({ id: conversation }),
  listMessages: ({ conversation }) => ({ id: conversation }),
  findListingDeal: ({ otherListing }) => ({ id: otherListing }),
  getDeal: ({ offer }) => ({ id: offer }),
  listRentalPhotos: ({ offer }) => ({ id: offer }),
  downloadHandoverCalendar: ({ offer }) => ({ id: offer }),
  listDealsOfListing: ({ ownListing }) => ({ id: ownListing }),
};
