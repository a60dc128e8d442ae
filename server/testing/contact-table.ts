import { randomUUID } from 'node:crypto';
import type { calls } from '#contract/calls.ts';
import type { Person } from './app.ts';

type CallName = keyof typeof calls;
type WritingCallName = {
  [Name in CallName]: (typeof calls)[Name]['method'] extends 'GET' ? never : Name;
}[CallName];

/** Two people with listings, a conversation and deals between them, from the point of view of `me`. */
export interface ContactFixtures {
  me: Person;
  other: Person;
  /** A listing of the other person that `me` has not written about. */
  otherListing: string;
  /** A listing of `me` that the other person wrote about. */
  ownListing: string;
  /** The conversation about `ownListing`. */
  conversation: string;
  /** An offer of the other person for `ownListing`. */
  offer: string;
  /** A completed deal between the two. */
  completedDeal: string;
}

interface RequestParts {
  params?: Record<string, string>;
  body?: object;
}

/**
 * How a call treats two people of whom one blocked the other one, or is suspended: `own` calls do not reach the other
 * person, `allowed` ones do for the given reason, and all others are refused.
 */
type ContactRule = 'own' | { allowed: string } | { refused: (fixtures: ContactFixtures) => RequestParts };

/** The rule of every call that writes, except those of the console. */
export const contactTable: Record<WritingCallName, ContactRule> = {
  // Accounts and profiles
  signup: 'own',
  sendVerificationCode: 'own',
  sendOtp: 'own',
  verifyOtp: 'own',
  loginPassword: 'own',
  forgotPassword: 'own',
  resetPassword: 'own',
  reauthenticate: 'own',
  endSession: 'own',
  updateMe: 'own',
  requestCampusCode: 'own',
  verifyCampusAddress: 'own',
  removeCampusAddress: 'own',
  deleteMe: 'own',
  reviewDeal: { allowed: 'Blocking does not change who may review.' },
  // Listings, which are public
  createListing: 'own',
  setListingStatus: 'own',
  deleteListing: 'own',
  restoreListing: 'own',
  markListingSold: {
    refused: ({ ownListing, other }) => ({ params: { id: ownListing }, body: { to_user_id: other.userId } }),
  },
  relistListing: 'own',
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
  // Notifications
  readNotifications: 'own',
  changeNotificationSettings: 'own',
  savePushSubscription: 'own',
  removePushSubscription: 'own',
  checkShownPushes: 'own',
  // Blocked people, who are not told
  blockPerson: 'own',
  unblockPerson: 'own',
  // Conversations
  openConversation: { refused: ({ otherListing }) => ({ body: { listing_id: otherListing } }) },
  sendMessage: {
    refused: ({ conversation }) => ({
      params: { id: conversation },
      body: { client_id: randomUUID(), message_text: 'Why don’t you answer?' },
    }),
  },
  markRead: 'own',
  notifySellerNewMessage: { refused: ({ conversation }) => ({ body: { conversationId: conversation } }) },
  // Deals
  startDeal: {
    refused: ({ otherListing }) => ({ body: { client_id: randomUUID(), listing_id: otherListing } }),
  },
  takeDealTransition: {
    refused: ({ offer }) => ({
      params: { id: offer },
      body: { client_id: randomUUID(), transition: 'counter', price: 20 },
    }),
  },
  // Forms, which reach the support address, and reports, which reach moderators
  report: 'own',
  appeal: 'own',
  sendReport: 'own',
  sendContact: 'own',
  requestDataDeletion: 'own',
};

/** The path parameters of calls that read. */
export const readParams: Partial<Record<CallName, (fixtures: ContactFixtures) => Record<string, string>>> = {
  getDealReviews: ({ completedDeal }) => ({ id: completedDeal }),
  getMyListing: ({ ownListing }) => ({ id: ownListing }),
  listInterestedPeople: ({ ownListing }) => ({ id: ownListing }),
  findConversation: ({ otherListing }) => ({ id: otherListing }),
  getConversation: ({ conversation }) => ({ id: conversation }),
  listMessages: ({ conversation }) => ({ id: conversation }),
  findListingDeal: ({ otherListing }) => ({ id: otherListing }),
  getDeal: ({ offer }) => ({ id: offer }),
  downloadHandoverCalendar: ({ offer }) => ({ id: offer }),
  listDealsOfListing: ({ ownListing }) => ({ id: ownListing }),
};
