import { dark, light } from './colour.ts';
import type { Pen } from './pen.ts';
import { circle, ellipse, fade, line, path, rect, repeat } from './shapes.ts';
import type { Scene } from './standing-scenes.ts';

/** A cloud of three puffs. */
const cloud = (x: number, y: number, size: number): string =>
  fade(
    0.7,
    ellipse(x, y, size * 1.7, size * 0.42, '#fffaf0'),
    circle(x - size * 0.5, y - size * 0.25, size * 0.55, '#fffaf0'),
    circle(x + size * 0.45, y - size * 0.35, size * 0.7, '#fffaf0'),
  );

/** The hall of the campus, far away: a long roof, arches and a tower. */
function hall(pen: Pen, x: number): string {
  const brick = pen.pick(['#c98f72', '#d4a98a', '#bd8570'] as const);
  const arches = repeat(7, (i) => path(`M${x + 24 + i * 74} 760v-62q24 -44 48 0v62z`, dark(brick, 0.28)));
  const windows = repeat(9, (i) => rect(x + 26 + i * 57, 596, 26, 44, dark(brick, 0.2), 12));
  return (
    rect(x, 570, 540, 190, pen.gradient([light(brick, 0.22), brick])) +
    path(`M${x - 24} 572L${x + 40} 520H${x + 500}L${x + 564} 572z`, dark('#b4604a', 0.1)) +
    windows +
    arches +
    rect(x + 216, 350, 108, 420, pen.gradient([light(brick, 0.3), dark(brick, 0.1)], 'across')) +
    path(`M${x + 204} 352L${x + 270} 262L${x + 336} 352z`, dark('#b4604a', 0.18)) +
    path(`M${x + 250} 470v-50q20 -34 40 0v50z`, dark(brick, 0.35))
  );
}

const tree = (pen: Pen, x: number, y: number, size: number): string => {
  const green = pen.pick(['#6d9157', '#5c8456', '#86a05a'] as const);
  return (
    rect(x - size * 0.07, y - size * 0.5, size * 0.14, size * 0.55, '#6b4a3a') +
    circle(x - size * 0.3, y - size * 0.7, size * 0.38, dark(green, 0.12)) +
    circle(x + size * 0.3, y - size * 0.75, size * 0.4, dark(green, 0.2)) +
    circle(x, y - size, size * 0.48, pen.gradient([light(green, 0.25), green]))
  );
};

/** The campus lawn on a clear day. */
export function lawn(pen: Pen): Scene {
  const sky = pen.pick([
    ['#8ec4dc', '#e9f0dc'],
    ['#f0b489', '#fbe6c0'],
    ['#9fc9d3', '#f6ead0'],
  ] as const);
  const green = pen.pick(['#7fa653', '#8aab57', '#749a55'] as const);
  const blades = repeat(70, () => {
    const x = pen.between(0, 1600);
    const y = pen.between(830, 1190);
    const tall = (y - 760) * 0.09;
    return line(
      `M${x} ${y}l${pen.between(-6, 6)} ${-tall}`,
      pen.chance(0.5) ? dark(green, 0.18) : light(green, 0.25),
      4,
      'opacity=".7"',
    );
  });
  return {
    ground: pen.between(1000, 1030),
    art:
      rect(0, 0, 1600, 780, pen.gradient(sky)) +
      ellipse(pen.between(200, 1400), 180, 420, 300, pen.glow('#fff6d8', 0.8)) +
      cloud(pen.between(150, 600), pen.between(120, 240), 90) +
      cloud(pen.between(900, 1450), pen.between(90, 260), 70) +
      fade(0.55, hall(pen, pen.pick([60, 960] as const))) +
      path('M0 750Q400 690 820 740T1600 720V1200H0z', light(green, 0.12)) +
      tree(pen, pen.between(40, 160), 780, 250) +
      tree(pen, pen.between(1400, 1560), 790, 290) +
      path('M0 790Q700 740 1600 790V1200H0z', pen.gradient([light(green, 0.1), green, dark(green, 0.2)])) +
      blades +
      ellipse(800, 1020, 800, 120, pen.glow('#fff3b8', 0.3)),
  };
}

/** A brick wall and a pavement. */
export function pavement(pen: Pen): Scene {
  const brick = pen.pick(['#c27a5e', '#d3a081', '#b9735f', '#cdb597'] as const);
  const bricks = repeat(17, (row) =>
    repeat(11, (column) => {
      const x = column * 160 - (row % 2) * 80 + 4;
      const tone = pen.pick([0, 0.06, 0.12, 0.18] as const);
      return rect(x, row * 50 + 4, 152, 42, light(brick, tone), 3);
    }),
  );
  const stone = '#cfc4b6';
  return {
    ground: pen.between(1000, 1025),
    art:
      rect(0, 0, 1600, 850, dark(brick, 0.16)) +
      bricks +
      rect(0, 0, 1600, 850, pen.gradient(['#fff3d033', '#fff3d000', '#2a143055'], 'diagonal')) +
      path('M1600 0H900L0 700V850H1600z', '#2a143018') +
      rect(0, 850, 1600, 350, pen.gradient([dark(stone, 0.16), stone, light(stone, 0.3)])) +
      repeat(6, (i) =>
        line(`M${800 + (i - 2.5) * 300} 852L${800 + (i - 2.5) * 520} 1200`, dark(stone, 0.2), 5),
      ) +
      line('M0 985H1600', dark(stone, 0.2), 5) +
      rect(0, 842, 1600, 18, dark(brick, 0.45)),
  };
}
