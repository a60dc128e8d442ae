import type { Campus } from '#contract/campus.ts';

export type SafetyTipName = 'place' | 'friend' | 'seller' | 'inspect' | 'messages' | 'report';

export interface SafetyTip {
  name: SafetyTipName;
  title: string;
  text: string;
}

/** Returns the six tips of the safety page (specification §2, Safety). */
export const listSafetyTips = ({ shortName, siteName }: Campus): readonly SafetyTip[] => [
  {
    name: 'place',
    title: 'Meet in public, well-lit campus places',
    text: `Pick the library steps, the student union or a busy café, and meet by daylight if you can. Never at a private home, and never off campus with someone you do not know.`,
  },
  {
    name: 'friend',
    title: 'Tell a friend',
    text: 'Say where you are going, who you are meeting and when you will be back. Better still, bring the friend along: it helps with the couch, too.',
  },
  {
    name: 'seller',
    title: "Check the seller's verified badge and rating",
    text: `The Verified badge means that this person has confirmed a ${shortName} email address. Ratings come from people who completed a deal with them. Where there are none yet, a short chat tells you a lot.`,
  },
  {
    name: 'inspect',
    title: 'Inspect before paying',
    text: 'Switch it on, unfold it, open the box, read the ticket. Pay only when what you see is what was listed, and never send money or a deposit ahead.',
  },
  {
    name: 'messages',
    title: 'Use in-app messaging',
    text: `Keep the conversation on ${siteName}, which warns you about phrases that are typical of scams. Your phone number stays yours, and what was agreed stays where both of you can read it again.`,
  },
  {
    name: 'report',
    title: 'Report suspicious behavior',
    text: 'A price too good to be true, pressure to pay at once, a story that keeps changing: use Report Listing on the listing itself, or the form on this page.',
  },
];

export const safetyIntroduction =
  'Nearly every trade on campus goes well. These six habits take care of the rest.';

export const emergencyNote =
  'In an emergency, call the emergency number first. We read reports as soon as we can, but we are not there at once.';
