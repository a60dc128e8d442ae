// They would turn around what stands next to them, in a subject even the words that are ours.
const directionControls = /[\u202A-\u202E\u2066-\u2069]/g;

/** Any text as one line that stays within itself, as a subject or a quotation needs it. */
export const oneLine = (text: string): string =>
  text.replace(directionControls, '').replace(/\s+/g, ' ').trim();
