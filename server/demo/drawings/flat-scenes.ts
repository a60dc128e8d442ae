import { dark, light } from './colour.ts';
import type { Pen } from './pen.ts';
import { circle, ellipse, fade, line, move, path, rect, repeat, turn } from './shapes.ts';

/** Surfaces seen from above, for things that lie on them. */

/** Light from the upper left, dusk in the lower right. */
const daylight = (pen: Pen): string =>
  ellipse(420, 260, 1100, 850, pen.glow('#fff6dc', 0.42)) +
  rect(0, 0, 1600, 1200, pen.gradient(['#1d102000', '#1d102000', '#1d102038'], 'diagonal'));

/** The shadow of a plant that stands beside the window. */
function leafShadow(pen: Pen): string {
  const x = pen.pick([120, 1480] as const);
  const blade = 'M0 0C90 -90 290 -80 380 0C290 80 90 90 0 0z';
  return fade(
    0.09,
    move(
      x,
      pen.between(60, 200),
      repeat(6, (i) => turn((x < 800 ? 0 : 90) + i * 26 - 10, path(blade, '#1d1020'))),
    ),
  );
}

export function planks(pen: Pen): string {
  const wood = pen.pick(['#c2925f', '#a8744a', '#d8b68c', '#8d6142'] as const);
  const boards = repeat(6, (row) => {
    const tone = pen.pick([0, 0.06, 0.12] as const);
    const grain = repeat(4, () => {
      const y = row * 200 + pen.between(24, 176);
      return line(
        `M${pen.between(-200, 600)} ${y}q${pen.between(200, 500)} ${pen.between(-22, 22)} ${pen.between(600, 1100)} ${pen.between(-8, 8)}`,
        dark(wood, 0.16),
        4,
        'opacity=".5"',
      );
    });
    const knot = pen.chance(0.4)
      ? ellipse(pen.between(100, 1500), row * 200 + 100, 30, 12, dark(wood, 0.2))
      : '';
    return rect(0, row * 200, 1600, 196, light(wood, tone)) + grain + knot;
  });
  return rect(0, 0, 1600, 1200, dark(wood, 0.35)) + boards + daylight(pen) + leafShadow(pen);
}

/** Plain coloured paper with a second sheet across it. */
export function paper(pen: Pen): string {
  const [sheet, second] = pen.pick([
    ['#efd9bd', '#e5b98e'],
    ['#a8c1b5', '#87a79c'],
    ['#f0c869', '#e6ad48'],
    ['#e2a48a', '#cf8267'],
    ['#a7b5cd', '#8598b8'],
    ['#e9dfd0', '#d8c7ae'],
    ['#cfd3a6', '#b3ba82'],
  ] as const);
  const edge = pen.between(560, 1000);
  return (
    rect(0, 0, 1600, 1200, sheet) +
    path(`M${edge + 16} 0L${edge - 284} 1200H1600V0z`, dark(sheet, 0.14)) +
    path(`M${edge + 30} 0L${edge - 270} 1200H1600V0z`, second) +
    daylight(pen) +
    leafShadow(pen)
  );
}

/** A woven blanket. */
export function blanket(pen: Pen): string {
  const cloth = pen.pick(['#e6dccb', '#b9c3b2', '#d9b8a2', '#a9b4c6', '#e8c98e'] as const);
  const stripes = repeat(9, (i) =>
    rect(0, i * 140 + 30, 1600, pen.pick([16, 40, 64] as const), light(cloth, 0.35)),
  );
  const weave = repeat(40, (i) => line(`M${i * 42} 0V1200`, dark(cloth, 0.12), 3, 'opacity=".35"'));
  const fold = path('M0 1010Q500 940 900 1030T1600 960V1000Q1300 1000 900 1075T0 1050z', '#1d102014');
  return rect(0, 0, 1600, 1200, cloth) + stripes + weave + fold + daylight(pen);
}

/** Terrazzo: stone with coloured chips. */
export function terrazzo(pen: Pen): string {
  const stone = pen.pick(['#ece4d8', '#dfe3dc', '#e9d8cb'] as const);
  const chips = repeat(90, () => {
    const colour = pen.pick(['#c98f72', '#8fa89b', '#d9b45c', '#7d8ba3', '#b9a796'] as const);
    const [x, y] = [pen.between(0, 1600), pen.between(0, 1200)];
    return move(
      x,
      y,
      turn(
        pen.between(0, 360),
        path(`M0 0l${pen.between(14, 40)} 8l-6 ${pen.between(12, 30)}l-26 -6z`, colour),
      ),
    );
  });
  return rect(0, 0, 1600, 1200, stone) + fade(0.6, chips) + daylight(pen) + leafShadow(pen);
}

/** A dark desk mat on a desk, with the light ring of a cup. */
export function deskMat(pen: Pen): string {
  const desk = pen.pick(['#c79c6d', '#dcc3a0', '#97694a'] as const);
  const mat = pen.pick(['#3d4a57', '#4f5d4e', '#5a3f46', '#31455a'] as const);
  return (
    rect(0, 0, 1600, 1200, pen.gradient([light(desk, 0.15), desk])) +
    repeat(8, (i) =>
      line(`M0 ${60 + i * 155}q800 ${pen.between(-30, 30)} 1600 0`, dark(desk, 0.15), 4, 'opacity=".5"'),
    ) +
    rect(104, 124, 1420, 1000, '#1d102030', 40) +
    rect(90, 100, 1420, 1000, pen.gradient([light(mat, 0.14), mat], 'diagonal'), 40) +
    `<rect x="112" y="122" width="1376" height="956" rx="26" fill="none" stroke="${light(mat, 0.3)}" stroke-width="4" stroke-dasharray="18 14"/>` +
    daylight(pen) +
    circle(1560, 60, 120, light(desk, 0.5)) +
    circle(1560, 60, 92, '#5a3a28')
  );
}
