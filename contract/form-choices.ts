import type { Campus } from './campus.ts';

// Separate from the forms' schemas, because pages display these without loading the schema library.

/** Topics that the contact form offers (specification §5). */
export const contactTopics = ['Bug Report', 'Safety Concern', 'Feature Request', 'Other'] as const;

/** Job openings that people can apply for (specification §2, "Careers"). */
export const jobOpenings = ['Product Designer', 'Campus Ambassador'] as const;
export type Opening = (typeof jobOpenings)[number];

/** File name extensions accepted for a resume, and its maximum size in bytes (specification §5). */
export const resumeEndings = ['.pdf', '.doc', '.docx'] as const;
export type ResumeEnding = (typeof resumeEndings)[number];
export const maxResumeBytes = 5 * 1024 * 1024;

export const resumeSentences = {
  type: 'Only PDF, DOC, and DOCX files are allowed',
  tooLarge: 'Resume must be at most 5MB',
} as const;

/** Returns the hint under a form's email field, which is also its error message (specification §5). */
export const campusEmailHint = (campus: Pick<Campus, 'shortName'>): string =>
  `Please use your ${campus.shortName} email address`;

/** Returns the extension of a file name if resumes may have it; undefined otherwise. */
export const resumeEnding = (filename: string): ResumeEnding | undefined =>
  resumeEndings.find((ending) => filename.toLowerCase().endsWith(ending));
