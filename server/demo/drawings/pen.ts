import { dark, light } from './colour.ts';

/**
 * What a drawing draws with: seeded chance (the same seed gives the same picture) and the gradients and clips it
 * needs, collected here until the picture is put together.
 */
export interface Pen {
  /** The campus colours: primary and accent. */
  readonly primary: string;
  readonly accent: string;
  /** At least `low`, below `high`. */
  between(low: number, high: number): number;
  pick<const Choices extends readonly unknown[]>(choices: Choices): Choices[number];
  chance(probability: number): boolean;
  /** A gradient across the shape it fills: 'down', 'across' or 'diagonal'. */
  gradient(colours: readonly string[], direction?: 'down' | 'across' | 'diagonal'): string;
  /** A fading spot: `colour` in the middle, nothing at the rim. */
  glow(colour: string, opacity: number): string;
  /** `art` seen only inside `shape`. */
  inside(shape: string, art: string): string;
  definitions(): string;
}

/** Mulberry32: small, quick and even enough for pictures. */
function chanceFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const DIRECTIONS = {
  down: 'x1="0" y1="0" x2="0" y2="1"',
  across: 'x1="0" y1="0" x2="1" y2="0"',
  diagonal: 'x1="0" y1="0" x2="1" y2="1"',
};

export function createPen(seed: number, colours: { primary: string; accent: string }): Pen {
  const random = chanceFrom(seed);
  const definitions: string[] = [];
  const define = (markup: (id: string) => string): string => {
    const id = `d${definitions.length}`;
    definitions.push(markup(id));
    return `url(#${id})`;
  };
  return {
    ...colours,
    between: (low, high) => low + random() * (high - low),
    pick: (choices) => choices[Math.floor(random() * choices.length)],
    chance: (probability) => random() < probability,
    gradient: (stops, direction = 'down') =>
      define((id) => {
        const last = Math.max(1, stops.length - 1);
        const list = stops.map((colour, i) => `<stop offset="${i / last}" stop-color="${colour}"/>`);
        return `<linearGradient id="${id}" ${DIRECTIONS[direction]}>${list.join('')}</linearGradient>`;
      }),
    glow: (colour, opacity) =>
      define(
        (id) =>
          `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${opacity}"/>` +
          `<stop offset=".55" stop-color="${colour}" stop-opacity="${opacity * 0.45}"/>` +
          `<stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`,
      ),
    inside: (shape, art) =>
      `<g clip-path="${define((id) => `<clipPath id="${id}">${shape}</clipPath>`)}">${art}</g>`,
    definitions: () => definitions.join(''),
  };
}

/** A surface lit from the upper left. */
export const lit = (pen: Pen, colour: string): string =>
  pen.gradient([light(colour, 0.22), colour, dark(colour, 0.2)], 'diagonal');

/** A round body standing upright: lit on the left, dark on the right, a little reflected light at the rim. */
export const round = (pen: Pen, colour: string): string =>
  pen.gradient(
    [dark(colour, 0.12), light(colour, 0.28), colour, dark(colour, 0.28), dark(colour, 0.18)],
    'across',
  );

/** Polished metal. */
export const metal = (pen: Pen, colour = '#b9bec6'): string =>
  pen.gradient(
    [dark(colour, 0.25), light(colour, 0.75), colour, dark(colour, 0.35), light(colour, 0.2)],
    'across',
  );
