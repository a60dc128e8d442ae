import { dark, light } from './colour.ts';
import { lit, type Pen } from './pen.ts';
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
  ring,
  turn,
} from './shapes.ts';

/** Things that move, and things for a weekend away. */

const wheel = (x: number, radius: number, colour: string): string =>
  move(
    x,
    -radius,
    ring(0, 0, radius - 14, '#2b2b31', 26) +
      ring(0, 0, radius - 34, colour, 10) +
      repeat(12, (i) => turn(i * 30, line(`M0 0V${-(radius - 38)}`, '#d9d3cb', 4))) +
      circle(0, 0, 22, '#8d8a86'),
  );

export function bicycle(pen: Pen): string {
  const colour = pen.pick([pen.primary, '#3f7f86', '#d9a23f', '#4f6f4e', '#c8624a'] as const);
  const tube = (d: string, width = 26) =>
    line(d, dark(colour, 0.22), width) +
    line(d, colour, width - 8) +
    move(-4, -5, line(d, light(colour, 0.4), 4));
  return (
    groundShadow(pen, 1150) +
    wheel(-350, 232, '#b9bec6') +
    wheel(350, 232, '#b9bec6') +
    line('M-350 -232L-20 -214', '#5a5a63', 9) +
    line('M-350 -252L-20 -262', '#5a5a63', 6) +
    tube('M-350 -232L-130 -520L-40 -232z', 20) +
    tube('M-120 -500L250 -510L-40 -232L-140 -560') +
    tube('M350 -232Q300 -340 262 -480L238 -590') +
    circle(-40, -232, 62, '#3a3a42') +
    ring(-40, -232, 46, '#b9bec6', 8) +
    line('M-40 -232L20 -140', '#3a3a42', 16) +
    rect(-14, -146, 84, 20, '#26262c', 8) +
    line('M-144 -566L-150 -590', '#b9bec6', 20) +
    path(
      'M-250 -630Q-150 -610 -60 -606Q-40 -590 -70 -580Q-160 -566 -236 -584Q-270 -600 -250 -630z',
      pen.gradient(['#8a5434', '#4d2d20']),
    ) +
    line('M238 -600C250 -660 330 -670 360 -630C380 -600 350 -570 320 -574', '#3a3a42', 20) +
    line('M236 -604H180', '#3a3a42', 18) +
    (pen.chance(0.6)
      ? path('M270 -570H470L446 -420H294z', pen.gradient(['#d3a873', '#9d6f45'])) +
        repeat(4, (i) => line(`M${276 + i * 4} ${-540 + i * 34}H${464 - i * 5}`, '#7d5432', 6))
      : circle(300, -500, 30, '#fff3c4'))
  );
}

export function scooter(pen: Pen): string {
  const colour = pen.pick(['#2f2f37', '#4f7a78', '#c4573f', '#e1b04b'] as const);
  return (
    groundShadow(pen, 820) +
    move(
      0,
      0,
      ring(-310, -70, 52, '#26262c', 34),
      circle(-310, -70, 34, '#b9bec6'),
      ring(300, -70, 52, '#26262c', 34),
      circle(300, -70, 34, '#b9bec6'),
    ) +
    path(
      'M-390 -120Q-310 -170 -230 -110H140Q200 -110 230 -190L262 -176Q240 -60 150 -62H-236Q-260 -100 -310 -104T-390 -84z',
      lit(pen, colour),
    ) +
    rect(-220, -114, 350, 14, '#e6c06a55', 7) +
    line('M300 -72L210 -700', dark(colour, 0.25), 38) +
    line('M294 -80L206 -696', light(colour, 0.3), 9) +
    line('M100 -716Q210 -740 320 -690', '#3a3a42', 24) +
    line('M96 -716l44 -6M326 -688l-40 -16', '#1f2026', 36) +
    circle(236, -640, 26, '#fff3c4') +
    ellipse(250, -640, 110, 80, pen.glow('#ffeeb8', 0.6)) +
    path('M262 -150Q340 -190 380 -120L350 -110Q320 -150 270 -120z', colour)
  );
}

export function skateboard(pen: Pen): string {
  const [deck, art] = pen.pick([
    ['#c8624a', '#f2d3b3'],
    ['#3f7f86', '#f0c869'],
    ['#d9a23f', '#7a2338'],
  ] as const);
  return (
    groundShadow(pen, 560) +
    move(
      0,
      -380,
      turn(
        14,
        rect(-150, -230, 40, 60, '#f4ecdd', 14) +
          rect(110, -230, 40, 60, '#f4ecdd', 14) +
          rect(-150, 190, 40, 60, '#f4ecdd', 14) +
          rect(110, 190, 40, 60, '#f4ecdd', 14),
        path(boxPath(-122, -390, 244, 780, 122), lit(pen, deck)),
        pen.inside(
          rect(-122, -390, 244, 780, '#fff', 122),
          circle(0, -60, 150, art) +
            repeat(5, (i) => rect(-130, 20 + i * 40, 260, 14 + i * 4, deck)) +
            path('M-122 240L0 120L122 240V400H-122z', dark(deck, 0.3)) +
            path('M-80 -390H-20L-90 400H-150z', '#ffffff24'),
        ),
        repeat(8, (i) => circle(-30 + (i % 2) * 60, [-250, -210, 200, 240][i >> 1] ?? 0, 8, '#d9d3cb')),
      ),
    )
  );
}

export function tent(pen: Pen): string {
  const colour = pen.pick(['#d9863f', '#4f7a78', '#b8573c', '#7c8a4e'] as const);
  return (
    groundShadow(pen, 1150) +
    line('M-520 -10L-600 10M520 -10L610 12', '#efe6d8', 7) +
    path('M60 -600L540 0H120z', pen.gradient([dark(colour, 0.12), dark(colour, 0.36)])) +
    path('M60 -600L-540 0H160z', pen.gradient([light(colour, 0.3), colour, dark(colour, 0.12)], 'diagonal')) +
    path('M20 -470L-190 0H90z', pen.gradient(['#33243a', '#5d4150'])) +
    path('M20 -470L-60 -300Q-110 -120 -190 0L-250 0Q-130 -200 20 -470z', light(colour, 0.4)) +
    path('M20 -470L50 -260Q60 -120 90 0L140 0Q110 -200 20 -470z', dark(colour, 0.16)) +
    ellipse(-20, -60, 90, 60, pen.glow('#ffd98a', 0.8)) +
    line('M60 -604L84 -650', '#e6c06a', 12) +
    line('M60 -600L-540 0', light(colour, 0.5), 6) +
    move(
      420,
      0,
      rect(-70, -90, 150, 90, lit(pen, '#5d6f93'), 40),
      line('M-30 -90V0M40 -90V0', '#f0d9a8', 10),
    ) +
    fade(0.8, circle(-420, -6, 20, '#8d8a86'), circle(-460, -2, 14, '#a39a8b'))
  );
}

export function suitcase(pen: Pen): string {
  const colour = pen.pick(['#d9a845', '#4f7a78', '#c4573f', '#5d6f93'] as const);
  return (
    groundShadow(pen, 560) +
    line('M-90 -640V-760H90V-640', '#8d8a86', 18) +
    circle(-180, -18, 28, '#26262c') +
    circle(180, -18, 28, '#26262c') +
    path(
      boxPath(-250, -660, 500, 630, 64),
      pen.gradient([light(colour, 0.28), colour, dark(colour, 0.28)], 'diagonal'),
    ) +
    repeat(6, (i) =>
      rect(-190 + i * 70, -620, 26, 550, i % 2 ? dark(colour, 0.14) : light(colour, 0.14), 13),
    ) +
    rect(-60, -690, 120, 34, '#3a3a42', 16) +
    move(
      120,
      -480,
      turn(
        12,
        circle(0, 0, 66, '#f4ecdd'),
        path('M0 -46L13 -14L48 -13L20 8L30 42L0 22L-30 42L-20 8L-48 -13L-13 -14z', pen.primary),
      ),
    )
  );
}

/** Cardboard boxes, one open. */
export function boxes(pen: Pen): string {
  const card = pen.pick(['#c99a63', '#b98a58', '#d3a873'] as const);
  const carton = (w: number, h: number) =>
    rect(-w / 2, -h, w, h, pen.gradient([light(card, 0.18), card, dark(card, 0.2)], 'diagonal'), 4) +
    rect(-w / 2, -h, w, 16, dark(card, 0.14)) +
    rect(-26, -h, 52, h * 0.45, '#ead2a3') +
    line(
      `M${w / 2 - 90} ${-50}v-46m-20 20l20 -22l20 22M${w / 2 - 40} ${-50}v-46m-20 20l20 -22l20 22`,
      dark(card, 0.45),
      9,
    );
  return (
    groundShadow(pen, 1000) +
    move(-230, 0, carton(470, 330)) +
    move(250, 0, carton(430, 270)) +
    move(
      -190,
      -330,
      path('M-190 -250L-290 -330L-110 -350L-60 -260zM190 -250L300 -310L150 -350L70 -260z', dark(card, 0.12)),
      rect(-190, -260, 380, 40, dark(card, 0.5)),
      turn(
        0,
        circle(-90, -290, 56, '#d98c6c'),
        rect(-20, -350, 60, 120, '#3f6a6e', 6),
        rect(50, -330, 46, 100, '#e6b65c', 6),
        rect(104, -316, 40, 90, '#a8433a', 6),
      ),
      carton(390, 250),
    )
  );
}

export function clothesHangers(pen: Pen): string {
  const wood = pen.pick(['#c08a52', '#a06a3f'] as const);
  return (
    line('M-760 -250H760', '#1d1020', 26, 'opacity=".14" transform="translate(10 26)"') +
    rect(-900, -264, 1800, 28, pen.gradient(['#f2efe9', '#8d8a86']), 14) +
    repeat(6, (i) =>
      move(
        -440 + i * 176,
        -250,
        turn(
          -5 + ((i * 7) % 11),
          line('M0 90C0 40 44 50 44 8C44 -40 -34 -40 -34 4', '#a39a8b', 13),
          line('M-230 400Q-30 250 0 200Q30 250 230 400', '#1d1020', 30, 'opacity=".12"'),
          line('M-210 230Q-30 130 0 96Q30 130 210 230', dark(wood, 0.3), 44),
          line('M-210 224Q-30 124 0 90Q30 124 210 224', i % 2 ? wood : light(wood, 0.2), 36),
          line('M-196 250H196', '#d9d3cb', 12),
        ),
      ),
    )
  );
}
