/**
 * Returns up to two initials of a name, from its first and last word, in upper case, or '?' for an empty
 * name.
 */
export function toInitials(name: string): string {
  const words = name.split(/[\s._-]+/u).filter(Boolean);
  const first = words[0];
  if (!first) return '?';
  const last = words.length > 1 ? words.at(-1) : undefined;
  return [first, last]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
