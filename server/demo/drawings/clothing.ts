import { dark, light } from './colour.ts';
import { lit, type Pen } from './pen.ts';
import {
  circle,
  flatShadow,
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

/** A coat on a hanger: denim, bomber or puffer by chance. */
export function jacket(pen: Pen): string {
  const colour = pen.pick(['#5b7a99', '#6d7a55', '#b9653f', '#3d4352'] as const);
  const quilted = pen.chance(0.5);
  const sleeves =
    'M-190 -330Q-330 -280 -360 -80L-400 280L-280 300L-220 0zM190 -330Q330 -280 360 -80L400 280L280 300L220 0z';
  const body = 'M-190 -330L-80 -370H80L190 -330L240 -260L228 350H-228L-240 -260z';
  return (
    line('M0 -400V-440C0 -480 50 -480 46 -510C42 -540 -10 -540 -14 -510', '#8d8a86', 14) +
    flatShadow(`${body}${sleeves}`, 22) +
    path(sleeves, lit(pen, dark(colour, 0.08))) +
    path(body, lit(pen, colour)) +
    pen.inside(
      path(`${body}${sleeves}`, '#fff'),
      quilted
        ? repeat(
            7,
            (i) =>
              line(`M-420 ${-230 + i * 88}Q0 ${-200 + i * 88} 420 ${-230 + i * 88}`, dark(colour, 0.28), 10) +
              line(`M-420 ${-244 + i * 88}Q0 ${-214 + i * 88} 420 ${-244 + i * 88}`, light(colour, 0.2), 6),
          )
        : line(
            'M-150 -300V340M150 -300V340M-230 -120H230',
            light(colour, 0.3),
            5,
            'stroke-dasharray="14 10"',
          ),
    ) +
    path('M-80 -370L-6 -250L-120 -190L-176 -330zM80 -370L6 -250L120 -190L176 -330z', dark(colour, 0.25)) +
    path('M-80 -370H80L0 -260z', '#ead9bd') +
    rect(-7, -262, 14, 612, quilted ? '#d9d3cb' : dark(colour, 0.3)) +
    repeat(6, (i) => circle(quilted ? 0 : 26, -190 + i * 92, quilted ? 7 : 13, '#d7a44d')) +
    path('M-190 40h130v16l-65 24l-65 -24zM60 40h130v16l-65 24l-65 -24z', dark(colour, 0.2)) +
    rect(-230, 316, 460, 40, dark(colour, 0.26), 10)
  );
}

export function dress(pen: Pen): string {
  const colour = pen.pick(['#7a2338', '#2f5b54', '#d8a23f', '#41507d', '#b9637a'] as const);
  const shape =
    'M-120 -400L-96 -280Q0 -220 96 -280L120 -400L150 -390L150 -250Q120 -130 118 -80Q220 160 330 400Q0 470 -330 400Q-220 160 -118 -80Q-120 -130 -150 -250L-150 -390z';
  return (
    line('M-150 -396Q-60 -470 0 -480Q60 -470 150 -396M0 -480V-510C0 -540 46 -540 42 -566', '#8d8a86', 13) +
    flatShadow(shape, 22) +
    path(shape, lit(pen, colour)) +
    pen.inside(
      path(shape, '#fff'),
      repeat(6, (i) =>
        path(
          `M${-90 + i * 34} -80Q${-220 + i * 84} 180 ${-300 + i * 118} 460H${-240 + i * 118}Q${-180 + i * 84} 180 ${-78 + i * 34} -80z`,
          i % 2 ? light(colour, 0.14) : dark(colour, 0.2),
        ),
      ) +
        (pen.chance(0.5)
          ? repeat(60, (i) => circle(((i * 97) % 640) - 320, -360 + ((i * 61) % 800), 8, light(colour, 0.55)))
          : ''),
    ) +
    path('M-120 -92H120L124 -44H-124z', dark(colour, 0.3)) +
    circle(0, -68, 16, '#e6c06a')
  );
}

export function sneakers(pen: Pen): string {
  const colour = pen.pick(['#f5efe4', '#c94f3d', '#3f6a8a', '#4f7a5d', '#e1b04b'] as const);
  const stripe = colour === '#f5efe4' ? pen.primary : '#f8f2e6';
  const shoe =
    path(
      'M-330 -60C-350 -200 -330 -280 -250 -290C-190 -270 -150 -260 -90 -300C-40 -250 60 -170 190 -150C310 -136 350 -100 346 -50z',
      pen.gradient([light(colour, 0.25), colour, dark(colour, 0.24)], 'diagonal'),
    ) +
    path('M190 -150C310 -136 350 -100 346 -50H170C160 -90 160 -120 190 -150z', dark(colour, 0.14)) +
    path('M-180 -60L-60 -216L-16 -190L-110 -60zM-70 -60L20 -168L62 -148L0 -60z', stripe) +
    path('M-330 -60C-346 -170 -336 -250 -300 -278L-246 -150L-250 -60z', dark(colour, 0.2)) +
    repeat(4, (i) => line(`M${-84 + i * 56} ${-268 + i * 36}l54 -34`, '#fffaf0', 14)) +
    path('M-352 -62H350q22 62 -30 62H-322q-44 0 -30 -62z', pen.gradient(['#fffdf6', '#d9d0c0'])) +
    line('M-340 -26H344', '#b8ad9b', 6);
  return groundShadow(pen, 940) + move(130, -120, turn(-9, scale(-0.9, 0.9, shoe))) + move(-80, 0, shoe);
}

export function boots(pen: Pen): string {
  const leather = pen.pick(['#8a5434', '#5b3b2e', '#a8743f', '#33302f'] as const);
  const boot =
    path(
      'M-130 -560Q0 -590 110 -560L100 -250Q130 -190 250 -160Q330 -130 320 -50H-140z',
      pen.gradient([light(leather, 0.3), leather, dark(leather, 0.3)], 'diagonal'),
    ) +
    path('M-140 -50L-134 -240Q-70 -190 -60 -50z', dark(leather, 0.25)) +
    path('M180 -180Q330 -150 322 -50H170Q150 -130 180 -180z', light(leather, 0.1)) +
    line('M96 -540L86 -250Q120 -180 190 -160', dark(leather, 0.35), 7) +
    repeat(6, (i) => line(`M${40 - i * 2} ${-510 + i * 56}l70 20`, '#ead9bd', 11)) +
    path('M-148 -54H330v34q0 22 -24 22H40v-10H-30V2h-96q-22 0 -22 -22z', dark(leather, 0.6)) +
    line('M-130 -562v-54M110 -562', '#ead9bd', 12);
  return groundShadow(pen, 820) + move(120, -36, scale(0.94, 0.94, boot)) + move(-150, 0, boot);
}

export function backpack(pen: Pen): string {
  const colour = pen.pick(['#3f6a6e', '#b8573c', '#56627f', '#cf9b3f'] as const);
  return (
    groundShadow(pen, 560) +
    line('M-90 -690C-90 -770 90 -770 90 -690', dark(colour, 0.3), 26) +
    path(
      'M-270 -120C-330 -110 -330 -330 -270 -360zM270 -120C330 -110 330 -330 270 -360z',
      dark(colour, 0.3),
    ) +
    path(
      'M-270 0C-300 -300 -290 -690 0 -690S300 -300 270 0q0 10 -40 10H-230q-40 0 -40 -10z',
      pen.gradient([light(colour, 0.25), colour, dark(colour, 0.28)], 'diagonal'),
    ) +
    line('M-232 -380C-226 -560 -120 -630 0 -630S226 -560 232 -380', dark(colour, 0.35), 10) +
    path(
      'M-210 -300H210Q236 -140 216 -20H-216Q-236 -140 -210 -300z',
      pen.gradient([light(colour, 0.12), dark(colour, 0.16)]),
    ) +
    line('M-206 -250H206', '#ead9bd', 9, 'stroke-dasharray="16 9"') +
    path('M-36 -470h72v72q0 20 -20 20h-32q-20 0 -20 -20z', '#8a5434') +
    ring(0, -424, 14, '#e6c06a', 7) +
    rect(60, -252, 18, 64, '#e6c06a', 8)
  );
}

export function graduationGown(pen: Pen): string {
  const colour = pen.pick(['#26242c', pen.primary] as const);
  const shape =
    'M-110 -360H110L300 -220L400 200L290 230L236 60L270 420H-270L-236 60L-290 230L-400 200L-300 -220z';
  return (
    flatShadow(shape, 22) +
    path(shape, lit(pen, colour)) +
    pen.inside(
      path(shape, '#fff'),
      repeat(7, (i) =>
        path(
          `M${-150 + i * 50} -300L${-250 + i * 82} 430h34L${-136 + i * 50} -300z`,
          i % 2 ? light(colour, 0.1) : dark(colour, 0.4),
        ),
      ),
    ) +
    path('M-110 -360L-14 60V400H-64L-176 -310zM110 -360L14 60V400H64L176 -310z', pen.accent) +
    path('M-110 -360Q0 -180 110 -360z', '#f4ecdd') +
    move(
      0,
      -410,
      flatShadow('M-250 -40L0 -130L250 -40L0 50z', 16),
      path('M-130 -10V60Q0 120 130 60V-10z', dark(colour, 0.2)),
      path('M-250 -40L0 -130L250 -40L0 50z', lit(pen, light(colour, 0.08))),
      line('M0 -40L180 0V110', pen.accent, 9),
      path('M164 104h32l10 70h-52z', pen.accent),
    )
  );
}
