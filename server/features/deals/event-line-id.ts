import { createHash } from 'node:crypto';

/**
 * Derives a UUID from a deal and the recorded event, such as the number of a transition, so that
 * the event line is stored only once.
 */
export const deriveEventLineId = (dealId: string, recorded: number | string): string => {
  const hex = createHash('sha256').update(`${dealId} ${recorded}`).digest('hex');
  // Set the bits for the version (8) and the variant that RFC 9562 requires of a UUID.
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
};
