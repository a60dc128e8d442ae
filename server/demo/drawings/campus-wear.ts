import { dark, light } from './colour.ts';
import { lit, type Pen } from './pen.ts';
import {
  circle,
  ellipse,
  flatShadow,
  groundShadow,
  line,
  move,
  path,
  rect,
  repeat,
  scale,
} from './shapes.ts';

/** Block figures for jerseys, drawn as strokes so that no font is needed. */
const FIGURES: Record<string, string> = {
  '1': 'M-20 -70L10 -90V90M-30 90H50',
  '2': 'M-50 -90H50V0H-50V90H50',
  '4': 'M-50 -90V10H50M50 -90V90',
  '7': 'M-50 -90H50L-10 90',
};

const figure = (name: string, x: number, colour: string, width: number): string =>
  move(
    x,
    30,
    `<g style="stroke-linecap:butt;stroke-linejoin:miter">${line(FIGURES[name] ?? '', colour, width)}</g>`,
  );

/** The emblem printed on campus goods: a shield with a star. */
const emblem = (colour: string, ink: string): string =>
  path('M-92 -100H92V6C92 70 30 108 0 122C-30 108 -92 70 -92 6z', colour) +
  path('M0 -72L20 -20L76 -18L32 16L48 70L0 40L-48 70L-32 16L-76 -18L-20 -20z', ink);

const TORSO = 'M-150 -360Q0 -290 150 -360L250 -320L236 380Q0 410 -236 380L-250 -320z';

const folds = (colour: string): string =>
  path('M-236 380L-244 60Q-150 250 -60 392Q-160 396 -236 380z', dark(colour, 0.16)) +
  path('M240 60L236 380Q180 392 120 394Q200 260 240 60z', dark(colour, 0.24)) +
  path('M-214 -290Q-180 -60 -206 180Q-150 -80 -176 -308z', light(colour, 0.16));

function shirt(pen: Pen, colour: string, sleeve: string, print: string): string {
  const sleeves = 'M-150 -360L-250 -320L-430 -90L-300 10L-236 -90zM150 -360L250 -320L430 -90L300 10L236 -90z';
  return (
    flatShadow(`${TORSO}${sleeves}`, 22) +
    path(sleeves, lit(pen, sleeve)) +
    line('M-416 -74L-312 6M416 -74L312 6', dark(sleeve, 0.3), 8) +
    path(TORSO, lit(pen, colour)) +
    pen.inside(path(TORSO, '#fff'), folds(colour)) +
    line('M-242 -312L-236 -80M242 -312L236 -80', dark(colour, 0.25), 5) +
    path('M-150 -360Q0 -290 150 -360Q130 -240 0 -236T-150 -360z', dark(colour, 0.34)) +
    line('M-148 -358Q-128 -244 0 -240T148 -358', sleeve === colour ? light(colour, 0.15) : sleeve, 24) +
    print
  );
}

export function jersey(pen: Pen): string {
  const home = pen.chance(0.6);
  const [body, trim] = home ? [pen.primary, pen.accent] : ['#f7f0e2', pen.primary];
  const [first, second] = pen.pick([
    ['1', '2'],
    ['2', '4'],
    ['7', '1'],
    ['4', '7'],
  ] as const);
  const number = figure(first, -82, trim, 40) + figure(second, 82, trim, 40);
  return shirt(
    pen,
    body,
    body,
    number + line('M-410 -112L-292 -22M410 -112L292 -22', trim, 26) + rect(-100, -156, 200, 18, trim, 6),
  );
}

export function tee(pen: Pen): string {
  const colour = pen.pick(['#f4ecdd', pen.primary, '#54636f', pen.accent, '#7d9a86'] as const);
  const ink = colour === pen.primary ? pen.accent : pen.primary;
  return shirt(pen, colour, colour, move(0, -10, scale(1.05, 1.05, emblem(ink, colour))));
}

export function hoodie(pen: Pen): string {
  const colour = pen.pick([pen.primary, '#5b6470', '#2f4a58', '#d9b15a', '#e9dfce'] as const);
  const ink = colour === pen.primary ? pen.accent : colour === '#e9dfce' ? pen.primary : light(colour, 0.7);
  const sleeves =
    'M-170 -330L-256 -300Q-380 -60 -420 270L-310 300Q-270 120 -228 -20zM170 -330L256 -300Q380 -60 420 270L310 300Q270 120 228 -20z';
  const body = 'M-170 -330Q0 -270 170 -330L256 -300L240 330Q0 350 -240 330L-256 -300z';
  const hood =
    'M-190 -320C-220 -470 -110 -520 0 -520S220 -470 190 -320C130 -230 50 -190 0 -180C-50 -190 -130 -230 -190 -320z';
  return (
    flatShadow(`${body}${sleeves}${hood}`, 22) +
    path(sleeves, lit(pen, dark(colour, 0.06))) +
    path('M-422 262L-308 292L-318 346L-430 318zM422 262L308 292L318 346L430 318z', dark(colour, 0.24)) +
    path(body, lit(pen, colour)) +
    pen.inside(path(body, '#fff'), folds(colour)) +
    rect(-240, 318, 480, 62, dark(colour, 0.2), 18) +
    repeat(22, (i) => line(`M${-226 + i * 21.5} 328v42`, dark(colour, 0.38), 4)) +
    path('M-150 120H150L206 300H-206z', pen.gradient([light(colour, 0.08), dark(colour, 0.14)])) +
    line('M-150 120L-206 300M150 120L206 300M-150 120H150', dark(colour, 0.3), 6) +
    path(hood, pen.gradient([light(colour, 0.2), dark(colour, 0.1)])) +
    path(
      'M-120 -330C-136 -430 -70 -460 0 -460S136 -430 120 -330C80 -270 30 -240 0 -230C-30 -240 -80 -270 -120 -330z',
      pen.gradient([dark(colour, 0.6), dark(colour, 0.4)]),
    ) +
    line('M-60 -232q-16 100 4 170M60 -232q18 90 -2 200', light(colour, 0.65), 12) +
    circle(-56, -56, 12, light(colour, 0.8)) +
    circle(58, -26, 12, light(colour, 0.8)) +
    move(0, 30, scale(0.62, 0.62, emblem(ink, colour)))
  );
}

export function cap(pen: Pen): string {
  const colour = pen.pick([pen.primary, '#f1e7d6', '#3e5a4c', '#2f4a6b'] as const);
  const ink = colour === pen.primary ? pen.accent : pen.primary;
  return (
    groundShadow(pen, 900, -20) +
    path(
      'M-300 -40C-320 -330 -150 -430 20 -430S340 -330 340 -50C340 -20 300 0 20 0S-300 -10 -300 -40z',
      pen.gradient([light(colour, 0.3), colour, dark(colour, 0.3)], 'diagonal'),
    ) +
    line('M20 -428C-40 -330 -80 -170 -84 -6M20 -428C150 -370 220 -200 226 -20', dark(colour, 0.24), 6) +
    ellipse(20, -432, 34, 18, dark(colour, 0.2)) +
    path(
      'M-300 -60C-180 -110 120 -100 150 -30C160 10 -100 10 -300 20C-470 40 -590 30 -580 0C-570 -40 -420 -40 -300 -60z',
      pen.gradient([light(colour, 0.16), dark(colour, 0.3)]),
    ) +
    line('M-560 4C-470 -30 -260 -60 -20 -66M-530 16C-400 -6 -240 -30 40 -38', dark(colour, 0.36), 4) +
    move(-120, -220, scale(0.88, 0.88, emblem(ink, colour)))
  );
}
