import type { Campus } from './campus.ts';

// Apart from the schemas of the forms: pages show these before any form is sent, and need no schema library for it.

/** §5: what a contact message can be about. */
export const contactTopics = ['Bug Report', 'Safety Concern', 'Feature Request', 'Other'] as const;

/** §2, Careers: what can be applied for. */
export const openings = ['Product Designer', 'Campus Ambassador'] as const;
export type Opening = (typeof openings)[number];

/** §5 and rulings: what a resume may be; its size in bytes. */
export const resumeEndings = ['.pdf', '.doc', '.docx'] as const;
export type ResumeEnding = (typeof resumeEndings)[number];
export const resumeBytes = 5 * 1024 * 1024;

export const resumeSentences = {
  type: 'Only PDF, DOC, and DOCX files are allowed',
  tooLarge: 'Resume must be at most 5MB',
} as const;

/** §5: the hint below an e-mail field of a form, and the refusal of any other address. */
export const campusEmailHint = (campus: Pick<Campus, 'shortName'>): string =>
  `Please use your ${campus.shortName} email address`;

/** The ending of a file that can be a resume by its name; undefined for any other. */
export const resumeEnding = (filename: string): ResumeEnding | undefined =>
  resumeEndings.find((ending) => filename.toLowerCase().endsWith(ending));
