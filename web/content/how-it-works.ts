import type { Campus } from '#contract/campus.ts';
import { links } from '#web/lib/links.ts';

export interface HowItWorksStep {
  title: string;
  text: string;
  links: readonly { to: string; label: string }[];
}

/** Returns the three steps of the how-it-works page (specification §2, How it works). */
export const listHowItWorksSteps = ({ shortName, mascot }: Campus): readonly HowItWorksStep[] => [
  {
    title: 'Verify',
    text: `Sign up with your ${shortName} email address and enter the six digits we send you. Your name then carries the Verified badge, so others know you belong here.`,
    links: [{ to: links.signup, label: 'Create an account' }],
  },
  {
    title: 'List or Find',
    text: 'Have something to pass on? A few photos, an honest description and a price, and it is up in two minutes. Looking for something? Browse by category or search by name.',
    links: [
      { to: links.postAd, label: 'Post an item' },
      { to: links.category('game-day'), label: 'Browse Game Day' },
      { to: links.category('merchandise'), label: `Browse ${mascot} Merchandise` },
    ],
  },
  {
    title: 'Trade',
    text: 'Message each other here, agree on a price, and meet at a public place on campus. You pay one another directly: no fees, no middleman, no shipping.',
    links: [{ to: links.safety, label: 'Read the safety tips' }],
  },
];
