import type { Pen } from './pen.ts';

/** Pieces of SVG, as text. Lengths are pixels of the finished 1600 × 1200 picture unless a group scales them. */

export const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;

export const circle = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;

export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`;

export const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;

/** A line along `d`, with round ends and joins. Colours only: a gradient has no box to fill along a straight line. */
export const line = (d: string, colour: string, width: number, more = ''): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;

export const ring = (x: number, y: number, radius: number, colour: string, width: number): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="${colour}" stroke-width="${width}"/>`;

export const fade = (opacity: number, ...art: string[]): string =>
  `<g opacity="${opacity}">${art.join('')}</g>`;

export const move = (x: number, y: number, ...art: string[]): string =>
  `<g transform="translate(${x} ${y})">${art.join('')}</g>`;

export const turn = (degrees: number, ...art: string[]): string =>
  `<g transform="rotate(${degrees})">${art.join('')}</g>`;

export const scale = (x: number, y: number, ...art: string[]): string =>
  `<g transform="scale(${x} ${y})">${art.join('')}</g>`;

/** `count` pieces in a row. */
export const repeat = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join('');

/** The soft shadow below something that stands on y = 0, `width` wide, drawn before it. */
export const groundShadow = (pen: Pen, width: number, x = 0): string =>
  ellipse(x + width * 0.06, 6, width * 0.62, Math.min(70, width * 0.12), pen.glow('#1d1020', 0.5)) +
  ellipse(x, 2, width * 0.5, Math.min(26, width * 0.045), pen.glow('#1d1020', 0.55));

/**
 * The soft shadow of something that lies flat, with outline `d`. Widening translucent strokes stand in for a blur,
 * which would cost as much as the rest of the picture.
 */
export function flatShadow(d: string, depth = 14): string {
  const layers = repeat(6, (i) => {
    const width = depth * 0.5 * (i + 0.4);
    return `<path d="${d}" fill="#1d1020" stroke="#1d1020" stroke-width="${width}" stroke-linejoin="round" opacity=".075"/>`;
  });
  return move(depth * 0.8, depth * 1.1, layers);
}

/** The outline of a rounded box, for shadows and clips. */
export const boxPath = (x: number, y: number, w: number, h: number, r = 0): string =>
  `M${x + r} ${y}h${w - 2 * r}q${r} 0 ${r} ${r}v${h - 2 * r}q0 ${r} ${-r} ${r}h${2 * r - w}q${-r} 0 ${-r} ${-r}v${2 * r - h}q0 ${-r} ${r} ${-r}z`;
