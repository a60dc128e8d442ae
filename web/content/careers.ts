import type { Campus } from '#contract/campus.ts';
import type { JobOpeningTitle } from '#contract/form-choices.ts';

export interface JobOpening {
  title: JobOpeningTitle;
  hours: string;
  place: string;
  text: string;
  points: readonly string[];
}

/** Returns the two job openings of the careers page (specification §2, Careers). */
export const listJobOpenings = ({ shortName, siteName }: Campus): readonly JobOpening[] => [
  {
    title: 'Product Designer',
    hours: 'Part-time, 10-15 hrs/week',
    place: 'Remote or on-campus',
    text: `Shape how ${shortName} students find, list and hand over things. You sketch in the morning and see it in use by the evening.`,
    points: [
      'Design whole flows, from the first idea to the last empty state',
      'Watch students use what you made, and change your mind',
      'Bring a portfolio; class projects count',
    ],
  },
  {
    title: 'Campus Ambassador',
    hours: 'Part-time, 5-10 hrs/week',
    place: 'On-campus',
    text: `Be the person who makes ${siteName} known: at move-in, on game day, in the residence halls.`,
    points: [
      'Run a table, a poster round or a swap day, with our support',
      'Tell us what students really ask for',
      'Know half the campus, or want to',
    ],
  },
];
