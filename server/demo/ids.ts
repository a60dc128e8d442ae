import { createHash } from 'node:crypto';

/**
 * Returns the id of an account or a form of the demo campus. The id is derived from a name, such as an email
 * address, so it is the same on every machine. Therefore an interrupted seeding can be repeated with the same
 * files, and data that were created for another QUAD_CAMPUS_DOMAIN can be found.
 */
export const deriveDemoId = (name: string): string => {
  const digits = createHash('sha256').update(`demo campus ${name}`).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
};
