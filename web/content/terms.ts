import type { Campus } from '#contract/campus.ts';
import type { TextSection } from './section.ts';

/** The date shown on the terms and privacy pages (specification §2, Terms and Privacy). */
export const legalTextsLastUpdated = 'January 2025';

export const listTermsSections = ({
  name,
  shortName,
  siteName,
  supportEmail,
}: Campus): readonly TextSection[] => [
  {
    title: 'What this is',
    paragraphs: [
      `${siteName} is a place where members of the ${name} community list things they want to sell, rent out or give away, and message one another about them. By creating an account you agree to these terms and to the Community Guidelines.`,
    ],
  },
  {
    title: 'Who may use it',
    paragraphs: [
      `Only students with an active university email address are eligible. Keep your password to yourself: what happens through your account counts as yours. The Verified badge says that an address ending in ${shortName}'s domain was confirmed, and nothing more.`,
    ],
  },
  {
    title: 'Your listings',
    points: [
      'You own what you list, or may dispose of it, and you describe it truthfully.',
      'Your texts and photos stay yours. You allow us to show them on the site for as long as they are there.',
      'Nothing from the list of prohibited items in the Community Guidelines.',
      'We may take down a listing or close an account that breaks these rules.',
    ],
  },
  {
    title: 'Trades and payments',
    paragraphs: [
      `${siteName} does not process payments and does not hold funds. Trades are arranged directly between users, who meet in person on campus and pay one another as they agree.`,
      'We are not a party to any trade. We do not own, inspect, deliver or guarantee what is listed, and we cannot refund a purchase.',
    ],
  },
  {
    title: 'Safety and conduct',
    paragraphs: [
      'Meet in public, inspect before paying, and treat each other with respect. Report what seems wrong: the form is on the safety page and behind Report Listing on every listing.',
    ],
  },
  {
    title: 'No warranty, limited liability',
    paragraphs: [
      'The site is provided as it is. As far as the law allows, we are not liable for losses that come from trades between users, from what users write, or from times when the site cannot be reached.',
    ],
  },
  {
    title: 'Ending your account',
    paragraphs: [
      'You may delete your account at any time in the settings of your profile. Your listings, photos and profile go with it; messages you sent to others stay with them, without your name. Download your data there first if you want to keep it.',
    ],
  },
  {
    title: 'Changes and questions',
    paragraphs: [
      `When these terms change, the date above changes with them. Questions go to ${supportEmail}.`,
    ],
  },
];
