import { DRAWINGS, type Drawing, type DrawingName } from './catalogue.ts';
import { createPen, type Pen } from './pen.ts';
import { move, rect, scale, turn } from './shapes.ts';

/** One photo: what, which of its many looks, and whether it shows the whole thing or comes close. */
export interface Picture {
  drawing: DrawingName;
  seed: number;
  close: boolean;
}

const CAMPUS_COLOURS = { primary: '#990000', accent: '#ffc72c' };

/** The picture's own measure; it can be drawn at any size. */
const WIDTH = 1600;
const HEIGHT = 1200;

/** The picture as an SVG document, `width` pixels wide, at 4:3. The same picture always gives the same text. */
export function pictureSvg({ drawing, seed, close }: Picture, width: number): string {
  // The thing and its surroundings have chances of their own: a close photo shows the same thing somewhere else.
  const thing = createPen(seed * 7919 + 17, CAMPUS_COLOURS);
  const place = createPen(seed * 104729 + (close ? 5 : 3), CAMPUS_COLOURS);
  const kind: Drawing = DRAWINGS[drawing];
  const art = kind.draw(thing);
  const scene = kind.standing ? stand(kind, place, art, close) : lie(kind, place, art, close);
  const vignette = rect(0, 0, WIDTH, HEIGHT, 'url(#vignette)');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${(width * HEIGHT) / WIDTH}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
    `<defs>${VIGNETTE}${prefix(thing.definitions(), 't')}${prefix(place.definitions(), 'p')}</defs>` +
    `${scene(prefix)}${vignette}</svg>`
  );
}

type Prefix = typeof prefix;

/** Two pens number their definitions alike; the letter keeps them apart. */
function prefix(svg: string, letter: string): string {
  return svg.replaceAll('id="d', `id="${letter}`).replaceAll('url(#d', `url(#${letter}`);
}

const VIGNETTE =
  '<radialGradient id="vignette" cx=".48" cy=".46" r=".75"><stop offset=".6" stop-color="#1d1020" stop-opacity="0"/>' +
  '<stop offset="1" stop-color="#1d1020" stop-opacity=".17"/></radialGradient>';

function stand(kind: Drawing, pen: Pen, art: string, close: boolean): (prefix: Prefix) => string {
  const scenes = kind.standing ?? [() => ({ art: '', ground: HEIGHT })];
  const scene =
    (close && scenes.length > 1 ? scenes[1 + Math.floor(pen.between(0, scenes.length - 1))] : undefined) ??
    scenes[0];
  const { art: around, ground } = scene(pen);
  const size = kind.size * pen.between(0.97, 1.03);
  const flip = close ? -1 : 1;
  const placed = (letters: string) =>
    move(WIDTH / 2 + pen.between(-24, 24), ground, scale(flip * size, size, letters));
  return (rename) => zoom(close ? 1.42 : 1, 800, 640, rename(around, 'p') + placed(rename(art, 't')));
}

function lie(kind: Drawing, pen: Pen, art: string, close: boolean): (prefix: Prefix) => string {
  const surfaces = kind.lying ?? [() => ''];
  const surface = (close ? surfaces[1 % surfaces.length] : pen.pick(surfaces)) ?? surfaces[0];
  const around = surface(pen);
  const tilt = pen.between(-9, 9) + (close ? pen.pick([-16, 14] as const) : 0);
  const size = kind.size * pen.between(0.96, 1.02);
  return (rename) =>
    rename(around, 'p') +
    zoom(
      close ? 1.5 : 1,
      close ? 720 : 800,
      close ? 500 : 600,
      move(800, 600, turn(tilt, scale(size, size, rename(art, 't')))),
    );
}

const zoom = (factor: number, x: number, y: number, art: string): string =>
  factor === 1
    ? art
    : `<g transform="translate(${x} ${y}) scale(${factor}) translate(${-x} ${-y})">${art}</g>`;
