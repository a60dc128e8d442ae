import type { Campus } from '#contract/campus.ts';

export const missionParagraphs = ({ name, siteName }: Campus): readonly string[] => [
  `When some students move out, good desks end up on the curb; weeks later, others move in and buy the same desks again. ${siteName} exists so that things stay on campus and money stays with students.`,
  `We give the ${name} community one calm, trustworthy place to pass things on: game day tickets to someone who will cheer, textbooks to the next class, a lamp to the room down the hall.`,
];

/** The sample team of the about page (specification §2, About). */
export const teamMembers = [
  {
    name: 'Maya Chen',
    role: 'Product and community',
    about: 'Sold eleven textbooks in her first week here.',
  },
  { name: 'Diego Ramirez', role: 'Engineering', about: 'Has never missed a home game, nor a unit test.' },
  { name: 'Aisha Johnson', role: 'Design', about: 'Furnished a whole apartment without a delivery.' },
  { name: 'Ethan Park', role: 'Trust and safety', about: 'Reads every report, and answers it.' },
] as const;

/** The four values on the about page (specification §2, About). */
export const coreValues = [
  {
    name: 'Trust',
    text: 'You see who you are dealing with: a real name, a confirmed address, and no surprises.',
  },
  {
    name: 'Simplicity',
    text: 'Two minutes to list, one message to ask. We remove whatever gets in the way of a trade.',
  },
  {
    name: 'Community',
    text: 'The best trades start a conversation. We are neighbors first, and buyers and sellers second.',
  },
  {
    name: 'Sustainability',
    text: 'The greenest couch is the one that is already here. Use it again, then pass it on.',
  },
] as const;
