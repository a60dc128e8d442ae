import type { Campus } from '#contract/campus.ts';
import { type DemoConversation, demoConversations } from './conversations.ts';
import type { DemoListing } from './listing.ts';
import { homeListings } from './listings-home.ts';
import { kitchenListings } from './listings-kitchen.ts';
import { lifeListings } from './listings-life.ts';
import { spiritListings } from './listings-spirit.ts';
import { studyListings } from './listings-study.ts';
import { type DemoPerson, demoPeople, type PersonKey } from './people.ts';

/** Everything the demo campus holds, in the words of the configured campus. */
interface DemoData {
  people: Record<PersonKey, DemoPerson>;
  listings: DemoListing[];
  conversations: DemoConversation[];
}

export const demoData = (campus: Campus): DemoData => ({
  people: demoPeople(campus),
  listings: [
    ...spiritListings(campus),
    ...homeListings,
    ...kitchenListings,
    ...studyListings,
    ...lifeListings(campus),
  ],
  conversations: demoConversations,
});
