import { type Deployment, openConversation, postListing, type Student, signUp } from '../support/students.ts';

export interface TestConversation {
  conversationId: string;
  listingId: string;
  /** The parties of the conversation: first the seller, then the buyer. */
  parties: [Student, Student];
}

/**
 * Creates a seller with one listing, and `count` buyers who each have a conversation with the
 * seller about that listing; `form` overrides fields of the listing.
 */
export const createTestConversations = async (
  quad: Deployment,
  count: number,
  form: Parameters<typeof postListing>[3] = {},
): Promise<TestConversation[]> => {
  const seller = await signUp(quad, 'Sally Seller', 'seller@usc.edu');
  const listing = await postListing(quad, seller, 'A desk that everybody wants', form);
  const talks: TestConversation[] = [];
  for (let number = 1; number <= count; number += 1) {
    const buyer = await signUp(quad, `Buyer ${number}`, `buyer-${number}@usc.edu`);
    const { id } = await openConversation(quad, buyer, listing);
    talks.push({ conversationId: id, listingId: listing.id, parties: [seller, buyer] });
  }
  return talks;
};
