import { createHash } from 'node:crypto';

/**
 * Returns the id of an account or a form of the demo campus. It is derived from the name, such as the email address, and
 * therefore the same on every machine. This allows reusing the files of an interrupted seeding, and finding what was
 * created for another CAMPUS_DOMAIN.
 */
export const deriveDemoId = (name: string): string => {
  const digits = createHash('sha256').update(`demo campus ${name}`).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
};
