import { type ResumeEnding, resumeEnding } from '#contract/form-choices.ts';

/** What each kind of file begins with: PDF, the compound file of old Word, the ZIP of new Word. */
const beginnings: Record<ResumeEnding, readonly number[]> = {
  '.pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  '.doc': [0xd0, 0xcf, 0x11, 0xe0],
  '.docx': [0x50, 0x4b, 0x03, 0x04],
};

/** The kind of a resume, when its name and its first bytes agree on one. */
export const resumeKind = (filename: string, head: Uint8Array): ResumeEnding | undefined => {
  const ending = resumeEnding(filename);
  return ending && beginnings[ending].every((byte, at) => head[at] === byte) ? ending : undefined;
};
