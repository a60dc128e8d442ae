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
  ring,
  scale,
  turn,
} from './shapes.ts';

const ENAMELS = ['#c4573f', '#3f7f86', '#d9a23f', '#e9e0d0', '#5b7d5c', '#3f5673'] as const;

/** Steam rising from (0, 0). */
const steam = (height: number): string =>
  fade(
    0.5,
    line(`M-30 0C-70 ${-height * 0.35} 10 ${-height * 0.6} -30 ${-height}`, '#fffaf0', 12),
    line(`M36 ${-10}C0 ${-height * 0.4} 76 ${-height * 0.55} 36 ${-height * 0.85}`, '#fffaf0', 10),
  );

export function pots(pen: Pen): string {
  const enamel = pen.pick(ENAMELS);
  const pot = (w: number, h: number, colour: string) =>
    path(`M${-w / 2} ${-h}H${w / 2}V-40q0 40 -40 40H${-w / 2 + 40}q-40 0 -40 -40z`, round(pen, colour)) +
    line(`M${-w / 2} ${-h + 50}h-56v46h56M${w / 2} ${-h + 50}h56v46h-56`, dark(colour, 0.3), 22) +
    path(`M${-w / 2 - 12} ${-h}Q0 ${-h - w * 0.26} ${w / 2 + 12} ${-h}z`, round(pen, light(colour, 0.06))) +
    rect(-w / 2 - 14, -h - 8, w + 28, 20, metal(pen), 10) +
    circle(0, -h - w * 0.15, 26, '#3a3a42');
  return (
    groundShadow(pen, 1080) +
    move(240, 0, pot(380, 330, dark(enamel, 0.12))) +
    move(-230, 0, pot(560, 300, enamel)) +
    move(
      -20,
      40,
      path('M40 -70H400Q396 0 330 0H110Q46 0 40 -70z', round(pen, '#45464e')) +
        line('M400 -56L640 -90', '#2b2b31', 30) +
        ellipse(220, -70, 182, 20, '#26262c'),
    )
  );
}

export function kettle(pen: Pen): string {
  const enamel = pen.pick(ENAMELS);
  return (
    groundShadow(pen, 620) +
    move(330, -520, steam(190)) +
    line('M-190 -440C-210 -700 190 -700 170 -440', '#2b2b31', 40) +
    line('M-110 -600C-60 -640 60 -640 110 -600', '#8a5434', 52) +
    path('M220 -250Q300 -300 300 -470L364 -470Q350 -220 240 -130z', round(pen, enamel)) +
    path(
      'M-300 -60Q-310 -450 0 -460Q310 -450 300 -60Q300 0 240 0H-240Q-300 0 -300 -60z',
      round(pen, enamel),
    ) +
    path('M-220 -120Q-230 -350 -90 -410Q-160 -300 -150 -90Q-190 -80 -220 -120z', '#ffffff4a') +
    ellipse(0, -448, 130, 26, dark(enamel, 0.3)) +
    path('M-120 -452Q0 -540 120 -452z', round(pen, enamel)) +
    circle(0, -510, 28, '#8a5434') +
    rect(-250, -30, 500, 30, metal(pen), 12)
  );
}

export function coffeeMaker(pen: Pen): string {
  const colour = pen.pick(['#2f2f37', '#c4573f', '#e9e0d0', '#4f7a78'] as const);
  return (
    groundShadow(pen, 640) +
    path(boxPath(-290, -740, 580, 230, 50), lit(pen, colour)) +
    rect(90, -560, 200, 540, pen.gradient([colour, dark(colour, 0.3)], 'across'), 24) +
    path(boxPath(-300, -70, 600, 70, 30), lit(pen, dark(colour, 0.12))) +
    ellipse(-90, -70, 190, 18, '#1f2026') +
    path('M-190 -510H10L-30 -440H-150z', dark(colour, 0.4)) +
    path('M-240 -380Q-280 -220 -230 -80H50Q100 -220 60 -380z', '#dfeaf066') +
    path('M-262 -240Q-262 -140 -228 -82H48Q82 -140 82 -240z', pen.gradient(['#6b3a22', '#3a1f15'])) +
    rect(-250, -400, 320, 30, '#2b2b31', 10) +
    line('M66 -350q80 20 60 130q-10 60 -60 70', '#2b2b31', 28) +
    path('M-220 -340Q-240 -220 -210 -110L-180 -110Q-204 -220 -190 -340z', '#ffffff77') +
    move(-90, -410, steam(70)) +
    circle(190, -620, 44, metal(pen)) +
    circle(190, -620, 14, '#8be0a4') +
    rect(-230, -660, 240, 60, light(colour, 0.2), 14)
  );
}

export function riceCooker(pen: Pen): string {
  const colour = pen.pick(['#f1e9db', '#d98c6c', '#9fc0b3'] as const);
  return (
    groundShadow(pen, 760) +
    move(-60, -590, steam(140)) +
    line('M-250 -470C-230 -620 230 -620 250 -470', dark(colour, 0.3), 30) +
    path('M-360 -380Q-380 0 -280 0H280Q380 0 360 -380z', round(pen, colour)) +
    path('M-366 -390Q-350 -540 0 -548Q350 -540 366 -390z', round(pen, light(colour, 0.12))) +
    rect(-372, -400, 744, 30, metal(pen), 14) +
    path('M-280 -320Q-300 -160 -260 -50L-210 -50Q-240 -160 -220 -320z', '#ffffff66') +
    rect(-110, -290, 220, 210, dark(colour, 0.5), 30) +
    rect(-80, -262, 160, 66, '#b3d6c4', 10) +
    circle(-50, -140, 24, '#e0705a') +
    circle(46, -140, 24, light(colour, 0.4)) +
    rect(-50, -570, 100, 26, '#3a3a42', 12)
  );
}

export function blender(pen: Pen): string {
  const colour = pen.pick(['#2f2f37', '#c4573f', '#6fa39b', '#e9e0d0'] as const);
  const fruit = pen.pick(['#d9536a', '#e6a13f', '#86a84e'] as const);
  return (
    groundShadow(pen, 440) +
    path('M-200 0L-150 -220H150L200 0z', round(pen, colour)) +
    circle(0, -100, 50, metal(pen)) +
    line('M0 -100V-138', '#3a3a42', 10) +
    path('M-130 -230L-200 -680H200L130 -230z', '#e8f1f288') +
    path(
      'M-132 -240L-176 -520Q-80 -560 0 -520T176 -524L132 -240z',
      pen.gradient([light(fruit, 0.25), fruit]),
    ) +
    circle(-60, -470, 34, light(fruit, 0.4)) +
    circle(50, -400, 26, light(fruit, 0.35)) +
    circle(-30, -330, 18, light(fruit, 0.4)) +
    line('M196 -640q110 20 80 170q-20 80 -110 110', '#d5e3e6', 30) +
    path('M-170 -650L-116 -260H-90L-130 -650z', '#ffffff88') +
    rect(-212, -724, 424, 60, pen.gradient([light(colour, 0.2), dark(colour, 0.2)]), 22) +
    rect(-70, -760, 140, 44, dark(colour, 0.2), 16)
  );
}

/** A stack of plates and bowls. */
export function plates(pen: Pen): string {
  const glaze = pen.pick(ENAMELS);
  const tone = (i: number) => (i % 2 ? light(glaze, 0.65) : light(glaze, 0.1));
  return (
    groundShadow(pen, 980) +
    move(
      -180,
      0,
      repeat(
        6,
        (i) =>
          path(
            `M-310 ${-40 - i * 30}H310Q280 ${-i * 30} 140 ${-i * 30}H-140Q-280 ${-i * 30} -310 ${-40 - i * 30}z`,
            round(pen, tone(i)),
          ) + ellipse(0, -40 - i * 30, 310, 20, light(tone(i), 0.3)),
      ),
      repeat(3, (i) =>
        move(
          0,
          -205 - i * 62,
          path('M-200 -110Q-180 0 -80 0H80Q180 0 200 -110z', round(pen, tone(i))),
          ellipse(0, -110, 200, 24, light(tone(i), 0.4)),
          ellipse(0, -106, 178, 16, dark(tone(i), 0.16)),
        ),
      ),
    ) +
    move(330, 0, mug(pen, glaze)) +
    move(310, -250, scale(0.96, 0.96, mug(pen, light(glaze, 0.6))))
  );
}

const mug = (pen: Pen, colour: string): string =>
  line('M110 -200q110 -10 100 80q-10 70 -110 70', dark(colour, 0.12), 30) +
  path('M-130 -250H130L116 -30q-4 30 -34 30H-82q-30 0 -34 -30z', round(pen, colour)) +
  ellipse(0, -250, 130, 24, light(colour, 0.4)) +
  ellipse(0, -246, 112, 17, dark(colour, 0.35));

export function mugs(pen: Pen): string {
  const [first, second] = [pen.primary, pen.accent];
  const star = 'M0 -46L13 -14L48 -13L20 8L30 42L0 22L-30 42L-20 8L-48 -13L-13 -14z';
  return (
    groundShadow(pen, 900) +
    move(230, 0, scale(1.5, 1.5, mug(pen, second), move(0, -120, path(star, first)))) +
    move(-190, 10, scale(1.7, 1.7, mug(pen, first), move(0, -120, path(star, second)))) +
    move(-190, -450, steam(190))
  );
}

export function tumbler(pen: Pen): string {
  const colour = pen.pick([pen.primary, '#4f7a78', '#d9a23f', '#e9e0d0'] as const);
  return (
    groundShadow(pen, 360) +
    path('M-150 -600H150L112 -20q-4 20 -24 20H-88q-20 0 -24 -20z', round(pen, colour)) +
    rect(-168, -656, 336, 70, round(pen, '#3a3a42'), 22) +
    line('M50 -660L96 -800', pen.accent, 22) +
    rect(-128, -120, 256, 26, metal(pen)) +
    move(
      0,
      -330,
      turn(
        0,
        ring(0, 0, 86, colour === pen.primary ? pen.accent : pen.primary, 14),
        scale(
          1.2,
          1.2,
          path(
            'M0 -46L13 -14L48 -13L20 8L30 42L0 22L-30 42L-20 8L-48 -13L-13 -14z',
            colour === pen.primary ? pen.accent : pen.primary,
          ),
        ),
      ),
    ) +
    path('M-110 -560L-84 -60H-60L-74 -560z', '#ffffff55')
  );
}

export function toasterOven(pen: Pen): string {
  const colour = pen.pick(['#c9ccd1', '#c4573f', '#9fc0b3'] as const);
  return (
    groundShadow(pen, 1000) +
    rect(-400, -24, 80, 24, '#26262c') +
    rect(320, -24, 80, 24, '#26262c') +
    path(boxPath(-470, -520, 940, 500, 50), pen.gradient([light(colour, 0.35), colour, dark(colour, 0.25)])) +
    rect(-420, -450, 610, 370, '#26262c', 26) +
    rect(-396, -424, 562, 318, pen.gradient(['#5a2f1d', '#d9803f', '#6b351f']), 14) +
    repeat(9, (i) => line(`M${-380 + i * 66} -190V-120`, '#b9bec6', 6)) +
    line('M-396 -190H166', '#b9bec6', 8) +
    path('M-270 -196q-10 -120 70 -120h170q80 0 70 120z', '#e9b66f') +
    path('M-250 -210q0 -84 56 -84h150q56 0 56 84z', '#f6d79c') +
    path('M-396 -424H-120L-330 -106H-396z', '#ffffff1f') +
    rect(-360, -488, 490, 22, metal(pen), 11) +
    repeat(
      3,
      (i) => circle(330, -400 + i * 130, 48, metal(pen)) + line(`M330 ${-400 + i * 130}v-34`, '#3a3a42', 9),
    )
  );
}
