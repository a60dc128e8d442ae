/** Colors of generated avatars, dark enough for white initials. */
const avatarColors = ['#7d0a12', '#a33b1f', '#8a5a0b', '#2f5d3a', '#23506b'];

/**
 * Returns the CSS background of a generated avatar: two gradients, one above the other. It depends on the name only, so
 * people recognize one another by it.
 */
export function createAvatarBackground(name: string): string {
  let hash = 0;
  for (let index = 0; index < name.length; index += 1)
    hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0;
  const [top, upperMiddle, lowerMiddle, bottom] = [0, 1, 2, 3].map(
    (offset) => avatarColors[(Math.abs(hash) + offset) % avatarColors.length],
  );
  return `linear-gradient(${top}, ${upperMiddle} 50%, ${lowerMiddle} 50%, ${bottom})`;
}
