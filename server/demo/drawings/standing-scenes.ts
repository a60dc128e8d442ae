import { dark, light, mix } from './colour.ts';
import type { Pen } from './pen.ts';
import { circle, ellipse, fade, line, move, path, rect, repeat, turn } from './shapes.ts';

/** A place to put something: `art` is the picture so far, `ground` the height at which things stand. */
export interface Scene {
  art: string;
  ground: number;
}

const WALLS = [
  '#efd3ae',
  '#e3b095',
  '#a9bfa6',
  '#8fb0b5',
  '#e6b65c',
  '#c98a72',
  '#d8cdb8',
  '#a5b3d1',
  '#c7866c',
  '#b7c4a0',
] as const;
const WOODS = ['#b9824f', '#a06a3f', '#c89a66', '#8a5a3a'] as const;

/** Sun through a window on the wall. */
function sunlight(pen: Pen, x: number, height: number): string {
  const pane = (column: number, row: number) => {
    const left = x + column * 175 + row * 70;
    const top = 90 + row * (height * 0.44);
    const tall = height * 0.4;
    return path(`M${left} ${top}h155l${tall * 0.19} ${tall}h-155z`, '#fff3d6');
  };
  return fade(pen.between(0.2, 0.32), pane(0, 0), pane(1, 0), pane(0, 1), pane(1, 1));
}

/** Leaves reaching in from a corner, slightly out of the way. */
function leaves(pen: Pen, x: number, y: number, flip: number): string {
  const green = pen.pick(['#5d7f5a', '#4f7561', '#76895a'] as const);
  return move(
    x,
    y,
    repeat(5, (i) => {
      const angle = flip * (-70 + i * 34);
      const length = 210 + (i % 2) * 60;
      const blade = `M0 0C${length * 0.25} ${-length * 0.28} ${length * 0.75} ${-length * 0.24} ${length} 0C${length * 0.75} ${length * 0.24} ${length * 0.25} ${length * 0.28} 0 0z`;
      return turn(
        90 + angle,
        path(blade, pen.gradient([light(green, 0.2), dark(green, 0.25)])),
        line(`M10 0H${length * 0.9}`, light(green, 0.3), 4),
      );
    }),
  );
}

/** Something quiet on the wall: a framed print, a pennant, or nothing. */
function wallPiece(pen: Pen, wall: string): string {
  const x = pen.pick([150, 1170] as const);
  if (pen.chance(0.45)) return '';
  if (pen.chance(0.75)) {
    const sun = light(wall, 0.65);
    return move(
      x,
      110,
      rect(10, 14, 270, 340, dark(wall, 0.3)),
      rect(0, 0, 270, 340, light(wall, 0.72)),
      rect(22, 22, 226, 296, mix(wall, '#e0705a', 0.25)),
      circle(135, 130, 58, sun),
      path('M22 318V238q60 -60 118 -8t108 -30V318z', dark(wall, 0.35)),
    );
  }
  return move(
    x,
    150,
    turn(
      7,
      path('M0 0L320 70L0 140z', pen.gradient([pen.primary, dark(pen.primary, 0.3)], 'across')),
      rect(0, -6, 26, 152, pen.accent),
      line('M62 52l120 18M62 88l120 -18', pen.accent, 9),
    ),
  );
}

/** A room: wall, skirting board, wooden floor, afternoon sun. */
export function room(pen: Pen): Scene {
  const wall = pen.pick(WALLS);
  const wood = pen.pick(WOODS);
  const floor = 850;
  const planks = repeat(13, (i) => {
    const far = 800 + (i - 6) * 190;
    const near = 800 + (i - 6) * 330;
    return line(`M${far} ${floor}L${near} 1200`, dark(wood, 0.22), 4, 'opacity=".6"');
  });
  const seams = repeat(8, (i) => {
    const y = floor + 30 + i * i * 6 + i * 12;
    const x = pen.between(50, 1400);
    return line(`M${x} ${y}h${60 + i * 14}`, dark(wood, 0.25), 4, 'opacity=".5"');
  });
  return {
    ground: pen.between(1000, 1030),
    art:
      rect(0, 0, 1600, floor, pen.gradient([light(wall, 0.22), wall, dark(wall, 0.1)], 'diagonal')) +
      sunlight(pen, pen.pick([180, 860] as const), floor) +
      wallPiece(pen, wall) +
      rect(0, floor, 1600, 350, pen.gradient([dark(wood, 0.12), wood, light(wood, 0.16)])) +
      planks +
      seams +
      ellipse(560, 1060, 700, 150, pen.glow('#fff0cc', 0.35)) +
      rect(0, floor - 44, 1600, 44, light(wall, 0.6)) +
      rect(0, floor, 1600, 12, dark(wood, 0.45)),
  };
}

/** A seamless studio backdrop with a large sun behind the thing: the poster look. */
export function studio(pen: Pen): Scene {
  const [back, disc] = pen.pick([
    ['#e4b091', '#f2d3b3'],
    ['#7fa39b', '#b5cfc0'],
    ['#e7b94f', '#f6dc93'],
    ['#c96f56', '#e8a585'],
    ['#6f87a8', '#a9bdd1'],
    ['#d9c3a5', '#f1e4cd'],
    ['#b98aa0', '#dcb9c2'],
    ['#8a9a6b', '#bfc99b'],
  ] as const);
  const x = pen.between(700, 900);
  return {
    ground: pen.between(985, 1015),
    art:
      rect(0, 0, 1600, 1200, pen.gradient([light(back, 0.12), back, dark(back, 0.1)])) +
      circle(x, 540, 470, pen.gradient([light(disc, 0.2), mix(disc, back, 0.35)])) +
      path('M0 900Q800 850 1600 900V1200H0z', pen.gradient([light(back, 0.16), dark(back, 0.06)])) +
      ellipse(760, 1010, 820, 130, pen.glow('#fff6e0', 0.4)),
  };
}

/** A table top before a wall, for things that fit on one. */
export function table(pen: Pen): Scene {
  const wall = pen.pick(WALLS);
  const wood = pen.pick([...WOODS, '#e3d2b8', '#d6c4ad'] as const);
  const grain = repeat(7, (i) => {
    const y = 905 + i * 30;
    return line(
      `M${pen.between(-100, 300)} ${y}q${pen.between(300, 500)} ${pen.between(-12, 12)} ${pen.between(700, 1200)} 0`,
      dark(wood, 0.2),
      4,
      'opacity=".45"',
    );
  });
  const corner = pen.pick([0, 1, 2] as const);
  return {
    ground: pen.between(985, 1010),
    art:
      rect(0, 0, 1600, 870, pen.gradient([light(wall, 0.25), wall, dark(wall, 0.12)], 'diagonal')) +
      sunlight(pen, pen.pick([120, 980] as const), 830) +
      (corner === 0 ? leaves(pen, -30, 880, 1) : corner === 1 ? leaves(pen, 1630, 880, 1) : '') +
      rect(0, 870, 1600, 330, pen.gradient([light(wood, 0.1), light(wood, 0.22), wood])) +
      grain +
      rect(0, 866, 1600, 8, dark(wood, 0.3)) +
      rect(0, 1130, 1600, 70, pen.gradient([dark(wood, 0.2), dark(wood, 0.4)])) +
      rect(0, 1124, 1600, 8, light(wood, 0.45)),
  };
}

/** A kitchen counter before a tiled wall. */
export function counter(pen: Pen): Scene {
  const tile = pen.pick(['#dfe5da', '#bcd0cb', '#ecd9bf', '#e3b9a2', '#a9c0c8'] as const);
  const top = pen.pick(['#c8a274', '#8e6a4c', '#d9d4cb'] as const);
  const tiles = repeat(7, (row) =>
    repeat(9, (column) => {
      const x = column * 200 - (row % 2) * 100 + 5;
      return rect(x, row * 124 + 5, 190, 114, fadeTo(pen, tile), 6);
    }),
  );
  return {
    ground: pen.between(985, 1010),
    art:
      rect(0, 0, 1600, 880, dark(tile, 0.14)) +
      tiles +
      rect(0, 0, 1600, 880, pen.gradient(['#fff6e022', '#3a1f2a30'], 'diagonal')) +
      rect(0, 868, 1600, 332, pen.gradient([light(top, 0.12), light(top, 0.24), top])) +
      rect(0, 860, 1600, 12, dark(top, 0.3)) +
      ellipse(700, 1010, 800, 100, pen.glow('#fff4da', 0.4)) +
      rect(0, 1130, 1600, 70, dark(top, 0.3)) +
      rect(0, 1124, 1600, 8, light(top, 0.5)),
  };
}

const fadeTo = (pen: Pen, colour: string): string =>
  light(colour, pen.pick([0.1, 0.18, 0.28, 0.36] as const));
