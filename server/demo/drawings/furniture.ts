import { dark, light } from './colour.ts';
import { lit, metal, type Pen, round } from './pen.ts';
import {
  boxPath,
  circle,
  ellipse,
  fade,
  groundShadow,
  line,
  move,
  path,
  rect,
  repeat,
  scale,
  turn,
} from './shapes.ts';

export const TIMBERS = ['#b07a48', '#8f5f3a', '#caa06d', '#6f4a34'] as const;

/** A row of upright books, `width` wide, standing on y = 0. */
function bookRow(pen: Pen, width: number, tall: number): string {
  const spines: string[] = [];
  for (let x = 0; x < width - 40; ) {
    const thick = pen.between(24, 46);
    const high = tall * pen.between(0.72, 1);
    const colour = pen.pick([
      '#a8433a',
      '#d9a845',
      '#3f6a6e',
      '#e9dcc5',
      '#5d6f93',
      '#7c8a5e',
      '#6b4a5e',
    ] as const);
    spines.push(
      rect(x, -high, thick, high, pen.gradient([light(colour, 0.15), dark(colour, 0.2)], 'across'), 3),
    );
    spines.push(rect(x + thick * 0.25, -high * 0.82, thick * 0.5, high * 0.16, light(colour, 0.5), 2));
    x += thick + 3;
  }
  return spines.join('');
}

export function plant(pen: Pen): string {
  const green = pen.pick(['#4f7d57', '#66893f', '#3e6b5d'] as const);
  const pot = pen.pick(['#c4694a', '#e9dcc8', '#3f6a6e', '#d9a845'] as const);
  const blade = (length: number) =>
    `M0 0C${length * 0.2} ${-length * 0.26} ${length * 0.8} ${-length * 0.22} ${length} 0C${length * 0.8} ${length * 0.12} ${length * 0.2} ${length * 0.2} 0 0z`;
  const leaves = repeat(11, (i) => {
    const length = 360 - Math.abs(i - 5) * 22 + pen.between(-20, 30);
    return turn(
      -166 + i * 15.2,
      path(blade(length), pen.gradient([light(green, i % 2 ? 0.28 : 0.05), dark(green, 0.22)])) +
        line(`M0 0H${length * 0.85}`, light(green, 0.35), 4),
    );
  });
  return (
    groundShadow(pen, 380) +
    move(0, -300, leaves) +
    move(0, -330, scale(0.66, 0.66, leaves)) +
    path('M-160 -300H160L122 -20q-6 20 -30 20H-92q-24 0 -30 -20z', round(pen, pot)) +
    rect(-176, -330, 352, 64, round(pen, light(pot, 0.08)), 14)
  );
}

export function desk(pen: Pen): string {
  const timber = pen.pick(TIMBERS);
  const leg = pen.pick(['#33343a', dark(timber, 0.3), '#efe7da'] as const);
  return (
    groundShadow(pen, 1060) +
    line('M-480 -430L-500 -6M480 -430L500 -6', leg, 26) +
    line('M-400 -430L-412 -40M400 -430L412 -40', dark(leg, 0.35), 22) +
    rect(150, -430, 300, 190, pen.gradient([dark(timber, 0.05), dark(timber, 0.25)]), 6) +
    rect(164, -414, 272, 76, lit(pen, timber), 6) +
    rect(164, -328, 272, 76, lit(pen, timber), 6) +
    rect(270, -384, 60, 14, '#e6c06a', 7) +
    rect(270, -298, 60, 14, '#e6c06a', 7) +
    rect(-540, -474, 1080, 48, pen.gradient([light(timber, 0.3), timber, dark(timber, 0.2)]), 10) +
    move(-330, -474, scale(0.5, 0.5, lamp(pen))) +
    move(120, -474, bookRow(pen, 210, 130)) +
    move(420, -474, scale(0.3, 0.3, plant(pen))) +
    rect(-150, -496, 210, 22, '#f4ecdd', 4) +
    rect(-140, -514, 190, 18, '#a8433a', 4)
  );
}

export function lamp(pen: Pen): string {
  const colour = pen.pick(['#d9a845', '#c4573f', '#3f6a6e', '#2f2f37', '#e9dcc8'] as const);
  return (
    groundShadow(pen, 360) +
    ellipse(190, -330, 330, 380, pen.glow('#ffeeb8', 0.75)) +
    ellipse(0, -14, 160, 26, dark(colour, 0.35)) +
    ellipse(0, -26, 158, 26, lit(pen, colour)) +
    line('M0 -30L-110 -360L60 -610', dark(colour, 0.2), 24) +
    line('M-4 -30L-114 -360L56 -610', light(colour, 0.3), 7) +
    circle(-110, -360, 30, metal(pen)) +
    move(
      70,
      -620,
      turn(
        32,
        ellipse(70, 118, 150, 30, '#fff3c4') +
          path(
            'M0 -60Q70 -90 140 -60L216 110Q70 160 -76 110z',
            pen.gradient([light(colour, 0.35), colour, dark(colour, 0.3)], 'across'),
          ) +
          ellipse(70, 112, 142, 26, '#fff6d6'),
      ),
    ) +
    circle(66, -618, 22, metal(pen))
  );
}

export function bookshelf(pen: Pen): string {
  const timber = pen.pick([...TIMBERS, '#efe6d8'] as const);
  const shelves = repeat(4, (i) => {
    const y = -740 + i * 186;
    const goods =
      i === 3
        ? rect(-200, -110, 180, 110, lit(pen, '#c79c6d'), 10) +
          rect(20, -110, 180, 110, lit(pen, '#a9bdd1'), 10)
        : move(i % 2 ? -60 : -210, 0, bookRow(pen, i % 2 ? 280 : 250, 140)) +
          move(i % 2 ? -150 : 150, 0, scale(0.24, 0.24, i % 2 ? plant(pen) : clayVase(pen)));
    return (
      rect(-230, y, 460, 186, pen.gradient([dark(timber, 0.55), dark(timber, 0.32)])) +
      move(0, y + 170, goods) +
      rect(-240, y + 168, 480, 20, lit(pen, timber))
    );
  });
  return (
    groundShadow(pen, 620) +
    rect(-262, -770, 524, 770, lit(pen, timber), 8) +
    shelves +
    rect(-262, -774, 524, 34, light(timber, 0.25), 6)
  );
}

const clayVase = (pen: Pen): string =>
  path(
    'M-60 -420H60Q50 -330 130 -240Q180 -80 70 0H-70Q-180 -80 -130 -240Q-50 -330 -60 -420z',
    round(pen, '#d98c6c'),
  );

export function dresser(pen: Pen): string {
  const timber = pen.pick([...TIMBERS, '#e9dfce', '#6f8a86'] as const);
  return (
    groundShadow(pen, 860) +
    path('M-370 -70h50l-14 70h-22zM320 -70h50l-14 70h-22z', dark(timber, 0.45)) +
    rect(-400, -560, 800, 500, pen.gradient([timber, dark(timber, 0.28)]), 14) +
    repeat(6, (i) => {
      const [x, y] = [i % 2 ? 10 : -376, -530 + Math.floor(i / 2) * 154];
      return (
        rect(x, y, 366, 138, lit(pen, light(timber, 0.06)), 10) +
        circle(x + 183, y + 69, 17, metal(pen, '#d9a845'))
      );
    }) +
    rect(-420, -590, 840, 40, pen.gradient([light(timber, 0.35), timber]), 10) +
    move(-250, -590, scale(0.34, 0.34, plant(pen))) +
    move(230, -590, scale(0.34, 0.34, clayVase(pen)))
  );
}

export function mirror(pen: Pen): string {
  const frame = pen.pick(['#d9a845', '#b07a48', '#2f2f37', '#efe6d8'] as const);
  const glass = 'M-190 -700a190 190 0 0 1 380 0V-60H-190z';
  return (
    groundShadow(pen, 500) +
    path('M-224 -700a224 224 0 0 1 448 0V0H-224z', lit(pen, frame)) +
    path(glass, pen.gradient(['#dfe9e6', '#a9c0c4', '#7d98a3'], 'diagonal')) +
    pen.inside(
      path(glass, '#fff'),
      fade(0.4, path('M-190 -400L120 -930H210L-190 -240zM-190 -170L190 -820V-740L-190 -90z', '#ffffff')) +
        rect(-190, -160, 380, 120, '#b0875e88'),
    )
  );
}

export function rug(pen: Pen): string {
  const colour = pen.pick(['#a8433a', '#3f6a6e', '#d9a845', '#5d6f93', '#b9838a'] as const);
  const cream = '#f1e6d2';
  const rows = repeat(5, (i) =>
    repeat(7, (j) =>
      path(
        `M${-330 + j * 110} ${-230 + i * 115}l44 44l-44 44l-44 -44z`,
        (i + j) % 2 ? cream : light(colour, 0.35),
      ),
    ),
  );
  return (
    move(20, 26, rect(-540, -360, 1080, 720, '#1d102033', 14)) +
    repeat(40, (i) => line(`M-536 ${-340 + i * 17.4}h-44M536 ${-340 + i * 17.4}h44`, cream, 8)) +
    rect(-540, -360, 1080, 720, lit(pen, colour), 6) +
    `<rect x="-490" y="-310" width="980" height="620" fill="none" stroke="${cream}" stroke-width="14"/>` +
    `<rect x="-450" y="-274" width="900" height="548" fill="none" stroke="${dark(colour, 0.3)}" stroke-width="10"/>` +
    move(0, -44, rows) +
    repeat(60, (i) => line(`M-540 ${-354 + i * 12}H540`, '#1d1020', 2, 'opacity=".09"'))
  );
}

export function miniFridge(pen: Pen): string {
  const colour = pen.pick(['#e9e2d4', '#c4573f', '#6fa39b', '#3a3a42'] as const);
  return (
    groundShadow(pen, 520) +
    rect(-200, -20, 50, 20, '#26262c') +
    rect(150, -20, 50, 20, '#26262c') +
    path(
      boxPath(-240, -640, 480, 624, 50),
      pen.gradient([light(colour, 0.35), colour, dark(colour, 0.25)], 'across'),
    ) +
    line('M-240 -460H240', dark(colour, 0.4), 9) +
    rect(-196, -440, 26, 190, metal(pen), 13) +
    rect(-196, -580, 26, 96, metal(pen), 13) +
    rect(90, -600, 100, 26, light(colour, 0.6), 8) +
    move(
      70,
      -330,
      turn(-5, rect(-60, -60, 130, 120, '#f0c869', 4), line('M-40 -24H46M-40 4H36M-40 32H20', '#8a6a2f', 7)),
    ) +
    circle(130, -180, 30, '#a8433a') +
    path('M-150 -620Q-60 -560 -100 -30H-190V-600z', '#ffffff22')
  );
}
