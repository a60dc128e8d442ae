import { dark, light } from './colour.ts';
import { TIMBERS } from './furniture.ts';
import { lit, metal, type Pen } from './pen.ts';
import { boxPath, circle, groundShadow, line, move, path, rect, repeat, turn } from './shapes.ts';

const FABRICS = ['#4f7a78', '#c26f4d', '#d9a845', '#7c8a5e', '#5d6f93', '#b9838a', '#8a8178'] as const;
export function officeChair(pen: Pen): string {
  const cloth = pen.pick([...FABRICS, '#33343a'] as const);
  return (
    groundShadow(pen, 560) +
    line('M0 -90L-230 -30M0 -90L230 -30M0 -90L-90 -14M0 -90L100 -14', '#3a3a42', 26) +
    repeat(4, (i) => circle([-230, 230, -90, 104][i] ?? 0, i < 2 ? -22 : -8, 26, '#26262c')) +
    rect(-24, -310, 48, 230, metal(pen), 10) +
    line('M200 -400C260 -400 250 -300 170 -300M-200 -400C-260 -400 -250 -300 -170 -300', '#3a3a42', 24) +
    rect(-270, -430, 120, 34, '#33343a', 17) +
    rect(150, -430, 120, 34, '#33343a', 17) +
    path(
      'M-180 -760Q0 -800 180 -760Q214 -560 170 -400Q0 -370 -170 -400Q-214 -560 -180 -760z',
      pen.gradient([light(cloth, 0.25), cloth, dark(cloth, 0.3)], 'diagonal'),
    ) +
    path('M-130 -720Q0 -748 110 -722Q60 -690 -60 -680T-150 -560Q-160 -660 -130 -720z', '#ffffff26') +
    path(
      'M-210 -370Q0 -400 210 -370Q260 -340 230 -300Q0 -262 -230 -300Q-260 -340 -210 -370z',
      pen.gradient([light(cloth, 0.3), dark(cloth, 0.22)]),
    )
  );
}

export function sofa(pen: Pen): string {
  const cloth = pen.pick(FABRICS);
  const pillow = pen.pick(['#f0d9a8', '#e8e0d0', '#d98c6c', '#a9bdd1'] as const);
  const seat = (x: number) =>
    path(boxPath(x, -280, 390, 120, 36), pen.gradient([light(cloth, 0.28), cloth, dark(cloth, 0.16)]));
  return (
    groundShadow(pen, 1200) +
    path('M-440 -70h40l-12 70h-22zM400 -70h40l-6 70h-22z', '#5b3b2e') +
    path(boxPath(-470, -520, 940, 400, 70), pen.gradient([light(cloth, 0.16), dark(cloth, 0.2)])) +
    path(boxPath(-440, -490, 436, 240, 54), pen.gradient([light(cloth, 0.24), dark(cloth, 0.06)])) +
    path(boxPath(4, -490, 436, 240, 54), pen.gradient([light(cloth, 0.24), dark(cloth, 0.06)])) +
    rect(-470, -200, 940, 140, pen.gradient([dark(cloth, 0.2), dark(cloth, 0.36)]), 30) +
    seat(-395) +
    seat(5) +
    move(-300, -360, turn(-12, path(boxPath(-100, -100, 200, 200, 40), lit(pen, pillow)))) +
    move(300, -360, turn(10, path(boxPath(-95, -95, 190, 190, 40), lit(pen, dark(pillow, 0.1))))) +
    path(boxPath(-560, -390, 180, 330, 70), lit(pen, cloth)) +
    path(boxPath(380, -390, 180, 330, 70), lit(pen, dark(cloth, 0.1)))
  );
}

export function armchair(pen: Pen): string {
  const cloth = pen.pick(FABRICS);
  return (
    groundShadow(pen, 700) +
    line('M-210 -110L-260 -4M210 -110L260 -4', '#7a5236', 28) +
    path(
      'M-250 -690Q0 -770 250 -690Q290 -420 230 -200H-230Q-290 -420 -250 -690z',
      pen.gradient([light(cloth, 0.28), cloth, dark(cloth, 0.2)], 'diagonal'),
    ) +
    repeat(6, (i) => circle(-110 + (i % 3) * 110, -590 + Math.floor(i / 3) * 120, 13, dark(cloth, 0.3))) +
    path(boxPath(-260, -330, 520, 150, 60), pen.gradient([light(cloth, 0.34), cloth])) +
    path(boxPath(-290, -220, 580, 120, 44), pen.gradient([dark(cloth, 0.1), dark(cloth, 0.34)])) +
    path('M-340 -440Q-240 -470 -220 -380L-236 -130Q-330 -120 -346 -180z', lit(pen, cloth)) +
    path('M340 -440Q240 -470 220 -380L236 -130Q330 -120 346 -180z', lit(pen, dark(cloth, 0.1)))
  );
}

export function bed(pen: Pen): string {
  const timber = pen.pick(TIMBERS);
  const cover = pen.pick(FABRICS);
  return (
    groundShadow(pen, 1240) +
    rect(-560, -600, 60, 600, lit(pen, timber), 16) +
    rect(500, -330, 60, 330, lit(pen, timber), 16) +
    path('M-530 -560Q-400 -600 -360 -300H-530z', dark(timber, 0.15)) +
    rect(-530, -170, 1060, 80, pen.gradient([timber, dark(timber, 0.25)]), 8) +
    path(boxPath(-505, -320, 1010, 170, 46), pen.gradient(['#fffaf0', '#ddd0bd'])) +
    path(
      'M-180 -350Q160 -390 512 -340L516 -120Q380 -90 240 -118T-40 -110Q-150 -110 -190 -140z',
      pen.gradient([light(cover, 0.3), cover, dark(cover, 0.2)]),
    ) +
    path('M-180 -350Q-110 -330 -120 -116Q-160 -120 -190 -140z', light(cover, 0.55)) +
    line(
      'M40 -360Q70 -220 40 -116M230 -366Q260 -240 240 -120M410 -356Q420 -240 400 -110',
      dark(cover, 0.2),
      6,
      'opacity=".7"',
    ) +
    move(
      -380,
      -370,
      turn(-14, path(boxPath(-120, -80, 240, 140, 60), pen.gradient(['#fffdf6', '#e3d6c3']))),
    ) +
    move(-300, -360, turn(-4, path(boxPath(-110, -66, 220, 124, 56), lit(pen, light(cover, 0.5)))))
  );
}
