import type { Campus } from '#contract/campus.ts';
import type { TextSection } from './section.ts';

/** Returns the sections of the guidelines page (specification §2, Guidelines). */
export const listGuidelineSections = ({ name, shortName, siteName }: Campus): readonly TextSection[] => [
  {
    title: 'Eligibility',
    paragraphs: [
      `${siteName} is made for the ${name} community. Only students with an active university email address are eligible; alumni and staff can say so on their profile.`,
      'One person, one account. Do not trade for somebody else, and do not lend your account to anyone.',
    ],
  },
  {
    title: 'Respectful Conduct',
    paragraphs: ['You may sit next to the person you are writing to tomorrow morning. Write accordingly.'],
    points: [
      'Describe what you sell as it is, scratches included, with photos of the very item.',
      'Answer messages, keep appointments, and say so early when you cannot.',
      'No harassment, discrimination, threats or spam, in listings or in messages.',
      'Once something is sold, choose Mark as Sold in My Listings.',
    ],
  },
  {
    title: 'Prohibited Items',
    paragraphs: ['These may not be offered, asked for or given away here, whatever the price:'],
    points: [
      'Alcohol, tobacco, vapes and controlled substances',
      'Weapons and explosives',
      'Counterfeit, stolen or illegal goods',
      'Prescription drugs or medical devices',
      `Services that violate ${shortName} policies or the law`,
      'Student IDs and accounts, such as those of games or streaming services',
      'Live animals',
    ],
  },
  {
    title: 'Event Tickets',
    paragraphs: [
      'Use official transfers: the ticket office or its app moves the ticket to the buyer, and both of you can see that it arrived. A screenshot is not a ticket.',
      'Resale above face value may violate the policies of the university or the organizer. Check before you name a price.',
    ],
  },
  {
    title: 'Academic Integrity',
    paragraphs: [
      'No graded coursework, exam materials, solutions handed out under an honor code, or offers to do the work of others.',
      'Textbooks, study guides and your own notes are welcome.',
    ],
  },
];
