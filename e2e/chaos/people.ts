import type { Quad } from '../support/quad.ts';
import { openConversation, postListing, type Student, signUp } from '../support/students.ts';

export interface Talk {
  conversationId: string;
  parties: [Student, Student];
}

/** Creates a seller with one listing and `count` buyers, each with a conversation about it. */
export const openTalks = async (quad: Quad, count: number): Promise<Talk[]> => {
  const seller = await signUp(quad, 'Sally Seller', 'seller@usc.edu');
  const listing = await postListing(quad, seller, 'A desk that everybody wants');
  const talks: Talk[] = [];
  for (let number = 1; number <= count; number += 1) {
    const buyer = await signUp(quad, `Buyer ${number}`, `buyer-${number}@usc.edu`);
    const { id } = await openConversation(quad, buyer, listing);
    talks.push({ conversationId: id, parties: [seller, buyer] });
  }
  return talks;
};
