/** Colours of drawings are `#rrggbb` throughout, so that light and shade can be computed. */

const channels = (colour: string): [number, number, number] => [
  Number.parseInt(colour.slice(1, 3), 16),
  Number.parseInt(colour.slice(3, 5), 16),
  Number.parseInt(colour.slice(5, 7), 16),
];

/** The colour `amount` (0 to 1) of the way from one to the other. */
export function mix(from: string, to: string, amount: number): string {
  const a = channels(from);
  const b = channels(to);
  return `#${a.map((value, i) => hex(value + ((b[i] ?? 0) - value) * amount)).join('')}`;
}

const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0');

/** Lighter by `amount` (0 to 1), towards a warm white: lamps and sun, never chalk. */
export const light = (colour: string, amount: number): string => mix(colour, '#fff8ea', amount);

/** Darker by `amount` (0 to 1), towards a deep plum: shadows keep some colour. */
export const dark = (colour: string, amount: number): string => mix(colour, '#1d1020', amount);
