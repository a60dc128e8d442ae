import { dark, light } from './colour.ts';
import { lit, metal, type Pen, round } from './pen.ts';
import {
  boxPath,
  circle,
  ellipse,
  flatShadow,
  groundShadow,
  line,
  move,
  path,
  rect,
  repeat,
  ring,
  scale,
} from './shapes.ts';

const keys = (
  x: number,
  y: number,
  columns: number,
  rows: number,
  size: number,
  gap: number,
  colour: string,
): string =>
  repeat(rows, (row) =>
    repeat(columns, (i) =>
      rect(x + i * (size + gap), y + row * (size + gap), size, size, colour, size * 0.18),
    ),
  );

export function headphones(pen: Pen): string {
  const colour = pen.pick(['#2f2f37', '#e9e0d0', '#c4573f', '#4f7a78'] as const);
  const cup = (flip: number) =>
    scale(
      flip,
      1,
      flatShadow(boxPath(190, -20, 190, 330, 90), 18) +
        path(boxPath(170, -10, 120, 310, 56), dark(colour, 0.45)) +
        path(
          boxPath(222, -30, 160, 350, 78),
          pen.gradient([light(colour, 0.3), colour, dark(colour, 0.3)], 'diagonal'),
        ) +
        ellipse(310, 145, 44, 120, light(colour, 0.16)) +
        line('M300 -30V-110', '#b9bec6', 26),
    );
  return (
    line(
      'M-296 -60C-320 -460 320 -460 296 -60',
      '#1d1020',
      54,
      'opacity=".16" transform="translate(16 22)"',
    ) +
    line('M-296 -60C-320 -460 320 -460 296 -60', dark(colour, 0.1), 58) +
    line('M-286 -120C-270 -420 270 -420 286 -120', light(colour, 0.25), 16) +
    line('M-200 -270C-110 -360 110 -360 200 -270', dark(colour, 0.4), 34) +
    cup(-1) +
    cup(1)
  );
}

export function keyboard(pen: Pen): string {
  const [base, cap, accent] = pen.pick([
    ['#3a3f4a', '#59606e', '#e0876a'],
    ['#e7dcc9', '#fff9ec', '#c4573f'],
    ['#4f7a78', '#dfeae2', '#e6b65c'],
  ] as const);
  const body = boxPath(-560, -240, 1120, 480, 40);
  return (
    flatShadow(body, 24) +
    path(body, lit(pen, base)) +
    rect(-536, -216, 1072, 432, dark(base, 0.35), 22) +
    keys(-518, -190, 13, 4, 68, 12, dark(cap, 0.22)) +
    keys(-514, -194, 13, 4, 60, 20, cap) +
    rect(-514, -194, 60, 60, accent, 10) +
    rect(446, -34, 60, 60, accent, 10) +
    rect(-514, 130, 140, 60, cap, 10) +
    rect(-354, 130, 520, 60, light(cap, 0.3), 10) +
    rect(186, 130, 140, 60, cap, 10) +
    rect(346, 130, 160, 60, accent, 10)
  );
}

export function gameConsole(pen: Pen): string {
  const pad = pen.pick(['#f1ece2', '#2f2f37', '#c4573f', '#4f6f9a'] as const);
  const ink = pad === '#f1ece2' ? '#3a3a42' : '#f1ece2';
  return (
    groundShadow(pen, 1000) +
    rect(-470, -660, 210, 650, pen.gradient(['#fffdf6', '#d8d2c7'], 'across'), 34) +
    path('M-390 -660h50V-10h-50z', '#26262c') +
    rect(-366, -520, 4, 320, '#6fb7ff') +
    move(
      150,
      -10,
      path(
        'M-330 0C-410 -10 -380 -330 -280 -390Q-220 -420 -160 -390H160Q220 -420 280 -390C380 -330 410 -10 330 0C260 0 230 -130 150 -140H-150C-230 -130 -260 0 -330 0z',
        pen.gradient([light(pad, 0.3), pad, dark(pad, 0.26)]),
      ) +
        path('M-110 -380H110L84 -270H-84z', dark(pad, 0.3)) +
        line('M-230 -330v84M-272 -288h84', ink, 32) +
        circle(-120, -200, 58, dark(pad, 0.35)) +
        circle(120, -200, 58, dark(pad, 0.35)) +
        circle(-120, -206, 42, '#4a4a52') +
        circle(120, -206, 42, '#4a4a52') +
        circle(236, -340, 21, '#e6b65c') +
        circle(236, -246, 21, '#7fb58a') +
        circle(188, -293, 21, '#6f9fd0') +
        circle(284, -293, 21, '#e0705a'),
    )
  );
}

export function camera(pen: Pen): string {
  const leather = pen.pick(['#33343a', '#7a4b34', '#40574f'] as const);
  return (
    groundShadow(pen, 820) +
    rect(-170, -560, 300, 120, lit(pen, '#4a4b52'), 24) +
    rect(-340, -490, 120, 60, metal(pen), 14) +
    rect(220, -486, 90, 56, metal(pen), 14) +
    path(boxPath(-400, -450, 800, 450, 54), pen.gradient(['#d9d6d0', '#a5a29c'])) +
    rect(-400, -350, 800, 270, pen.gradient([light(leather, 0.14), dark(leather, 0.2)])) +
    circle(0, -225, 226, dark(leather, 0.5)) +
    circle(0, -225, 212, metal(pen, '#8d9098')) +
    circle(0, -225, 180, '#1b1b21') +
    circle(0, -225, 140, pen.gradient(['#45506b', '#15151c', '#3b2a4d'], 'diagonal')) +
    circle(0, -225, 82, pen.gradient(['#20283c', '#090910'], 'diagonal')) +
    ellipse(-60, -290, 46, 30, '#ffffff66') +
    circle(52, -170, 14, '#ffffff40') +
    rect(250, -420, 90, 52, '#26262c', 10) +
    circle(-320, -395, 15, '#c4573f')
  );
}

export function projector(pen: Pen): string {
  return (
    groundShadow(pen, 860) +
    path('M130 -280L-1100 -760V80z', pen.gradient(['#fff3cc00', '#fff3cc88'], 'across')) +
    rect(-330, -30, 70, 30, '#33343a') +
    rect(260, -30, 70, 30, '#33343a') +
    path(boxPath(-400, -370, 800, 346, 56), pen.gradient(['#fffdf6', '#ded6c8', '#b9b0a1'])) +
    rect(-400, -150, 800, 16, '#c9bfae') +
    circle(-190, -220, 150, '#8d8a86') +
    circle(-190, -220, 130, '#2b2b31') +
    circle(-190, -220, 96, pen.gradient(['#9fd0e8', '#2c4a73', '#4a2f66'], 'diagonal')) +
    ellipse(-226, -262, 32, 22, '#ffffff99') +
    repeat(6, (i) => rect(60, -320 + i * 26, 250, 11, '#a39a8b', 5)) +
    circle(300, -100, 16, '#8be0a4')
  );
}

export function speaker(pen: Pen): string {
  const colour = pen.pick(['#c4573f', '#4f7a78', '#33343a', '#d9a845'] as const);
  return (
    groundShadow(pen, 480) +
    path(boxPath(-220, -680, 440, 680, 60), round(pen, colour)) +
    circle(0, -220, 172, dark(colour, 0.55)) +
    circle(0, -220, 150, pen.gradient(['#5a5a63', '#26262c'], 'diagonal')) +
    circle(0, -220, 60, pen.gradient(['#8d8a86', '#3a3a42'], 'diagonal')) +
    circle(0, -520, 96, dark(colour, 0.55)) +
    circle(0, -520, 80, pen.gradient(['#5a5a63', '#26262c'], 'diagonal')) +
    circle(0, -520, 30, '#8d8a86') +
    ring(0, -220, 128, '#ffffff22', 6)
  );
}

export function calculator(pen: Pen): string {
  const colour = pen.pick(['#3a3f4a', '#35507a', '#7d3442', '#e7dcc9'] as const);
  const body = boxPath(-230, -430, 460, 860, 60);
  return (
    flatShadow(body, 24) +
    path(body, lit(pen, colour)) +
    rect(-186, -384, 372, 240, '#14161c', 24) +
    rect(-164, -362, 328, 196, pen.gradient(['#d5e3c8', '#b3c7a6'], 'diagonal'), 8) +
    line('M-150 -264H150M-60 -356V-176', '#5d6f55', 4) +
    line('M-146 -190C-90 -190 -70 -340 -20 -330S50 -196 90 -216S130 -300 150 -330', '#a8433a', 9) +
    keys(-180, -112, 5, 2, 58, 16, light(colour, 0.22)) +
    keys(-180, 46, 5, 4, 58, 16, '#eee6d8') +
    repeat(4, (i) => rect(116, 46 + i * 74, 58, 58, i === 3 ? '#e0705a' : '#7f9fc4', 10)) +
    repeat(20, (i) =>
      rect(-168 + (i % 5) * 74, 62 + Math.floor(i / 5) * 74, i % 5 === 4 ? 30 : 22, 8, '#3a3f4a', 4),
    ) +
    rect(-180, 350, 360, 10, dark(colour, 0.3), 5)
  );
}
