import { dark, light, mix } from './colour.ts';
import { lit, type Pen, round } from './pen.ts';
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
  turn,
} from './shapes.ts';

/** A football: laces and two stripes. */
function football(pen: Pen): string {
  const body = 'M-190 0C-120 -125 120 -125 190 0C120 125 -120 125 -190 0z';
  return (
    path(body, pen.gradient(['#b4653c', '#8a4527', '#5e2c1c'], 'diagonal')) +
    pen.inside(
      path(body, '#fff'),
      rect(-140, -130, 26, 260, '#f6eee0') + rect(114, -130, 26, 260, '#f6eee0'),
    ) +
    line('M-62 -34H62', '#f6eee0', 9) +
    repeat(6, (i) => line(`M${-54 + i * 22} -50v32`, '#f6eee0', 8)) +
    path('M-150 -30C-90 -96 40 -104 110 -74C30 -88 -80 -76 -150 -30z', '#ffffff33')
  );
}

/** Two admission tickets, one over the other, each with a notched stub. */
export function tickets(pen: Pen): string {
  const outline = 'M-460 -190H210a36 36 0 0 0 72 0H460V190H282a36 36 0 0 0 -72 0H-460z';
  const ticket = (back: string, ink: string) =>
    flatShadow(outline, 22) +
    path(outline, lit(pen, back)) +
    pen.inside(
      path(outline, '#fff'),
      rect(-460, -190, 30, 380, ink) +
        circle(-215, 0, 142, mix(back, ink, 0.24)) +
        move(-215, 0, turn(-24, scale(0.62, 0.62, football(pen)))) +
        rect(-20, -128, 190, 34, ink, 8) +
        rect(-20, -74, 130, 20, mix(back, ink, 0.6), 8) +
        rect(-20, 60, 74, 70, mix(back, ink, 0.3), 10) +
        rect(72, 60, 74, 70, mix(back, ink, 0.3), 10) +
        rect(-20, -20, 190, 14, mix(back, ink, 0.45), 7) +
        rect(-20, 10, 150, 14, mix(back, ink, 0.45), 7) +
        line('M246 -140V140', mix(back, ink, 0.55), 6, 'stroke-dasharray="2 20"') +
        repeat(13, (i) => rect(318, -130 + i * 21, 90, [6, 14, 9, 4, 12][i % 5] ?? 8, ink)),
    );
  return (
    move(50, -110, turn(9, ticket(pen.accent, pen.primary))) +
    move(-40, 120, turn(-5, ticket(pen.primary, pen.accent)))
  );
}

/** A parking permit with its hook, on a lanyard ribbon. */
export function parkingPass(pen: Pen): string {
  const colour = pen.pick([pen.primary, '#2f5d62', '#35507a'] as const);
  const outline = 'M-190 -400q0 -40 40 -40H150q40 0 40 40V400q0 40 -40 40H-150q-40 0 -40 -40z';
  return (
    flatShadow(outline, 24) +
    path(outline, pen.gradient(['#fffaf0', '#eee2cf'], 'diagonal')) +
    pen.inside(
      path(outline, '#fff'),
      rect(-200, -450, 400, 330, lit(pen, colour)) +
        rect(-200, -120, 400, 18, pen.accent) +
        rect(-200, 370, 400, 80, colour),
    ) +
    circle(0, -290, 82, '#4b3b35') +
    circle(0, -290, 74, '#d8b68c') +
    line('M-52 60V-60h62a44 44 0 0 1 0 88h-62', colour, 40) +
    move(
      0,
      180,
      repeat(3, (i) => rect(-130 + i * 30, i * 48, 260 - i * 60, 24, mix('#eee2cf', colour, 0.45), 10)),
    )
  );
}

/** A pop-up canopy over a table with a cooler, flags on the rim. */
export function canopy(pen: Pen): string {
  const cloth = pen.primary;
  const pole = (x: number, foot: number) =>
    line(`M${x} -470L${foot} 0`, '#d9d3cb', 16) + line(`M${x + 3} -470L${foot + 3} 0`, '#a39c94', 5);
  return (
    groundShadow(pen, 1050) +
    pole(-300, -300) +
    pole(300, 300) +
    rect(-250, -210, 500, 26, light('#c79c6d', 0.2), 8) +
    path('M-240 -186H240L214 -40H-214z', pen.gradient([pen.accent, dark(pen.accent, 0.2)])) +
    move(-140, -210, scale(0.42, 0.42, cooler(pen))) +
    move(130, -250, scale(0.4, 0.4, football(pen))) +
    pole(-470, -490) +
    pole(470, 490) +
    path('M-500 -470L-90 -720H90L500 -470z', pen.gradient([light(cloth, 0.25), cloth])) +
    path('M-90 -720H90L170 -470H-170z', pen.gradient([light(cloth, 0.36), light(cloth, 0.08)])) +
    path(
      'M-505 -472H505V-384q-42 34 -84 0t-84 0t-84 0t-84 0t-84 0t-84 0t-84 0t-84 0t-84 0t-84 0t-84 0t-86 0z',
      pen.gradient([cloth, dark(cloth, 0.28)]),
    ) +
    rect(-505, -474, 1010, 22, pen.accent) +
    line('M0 -720V-790', '#d9d3cb', 10) +
    path('M4 -790l96 26l-96 30z', pen.accent)
  );
}

export function cooler(pen: Pen): string {
  const colour = pen.pick([pen.primary, '#2f6f8f', '#d2694c', '#4c7a68'] as const);
  return (
    groundShadow(pen, 640) +
    path(
      boxPath(-290, -330, 580, 330, 34),
      pen.gradient([light(colour, 0.2), colour, dark(colour, 0.26)], 'diagonal'),
    ) +
    path('M-290 -60h580v26q0 34 -34 34h-512q-34 0 -34 -34z', dark(colour, 0.3)) +
    rect(-306, -420, 612, 108, pen.gradient(['#fffdf6', '#e4dccf']), 36) +
    rect(-306, -330, 612, 18, '#00000022') +
    rect(-70, -344, 140, 60, dark(colour, 0.2), 14) +
    rect(-56, -336, 112, 26, light(colour, 0.35), 10) +
    line('M-306 -250h-36v130h36M306 -250h36v130h-36', '#e4dccf', 24) +
    rect(-240, -270, 44, 190, '#ffffff2e', 22) +
    circle(190, -110, 22, '#e4dccf')
  );
}

/** A folding chair with a cup holder. */
export function campChair(pen: Pen): string {
  const cloth = pen.pick([pen.primary, '#3f6f5c', '#35507a'] as const);
  const steel = '#4a4a52';
  return (
    groundShadow(pen, 620) +
    line('M-250 -10L210 -330M250 -10L-210 -330', dark(steel, 0.2), 20) +
    line('M-250 0L-262 -420M250 0L262 -420', steel, 24) +
    line('M-200 -10L190 -300M200 -10L-190 -300', light(steel, 0.16), 20) +
    path(
      'M-250 -700Q0 -660 250 -700L236 -300Q0 -260 -236 -300z',
      pen.gradient([light(cloth, 0.25), cloth, dark(cloth, 0.3)]),
    ) +
    path('M-250 -700Q0 -660 250 -700L247 -630Q0 -590 -247 -630z', pen.accent) +
    path('M-240 -330Q0 -270 240 -330L268 -236Q0 -170 -268 -236z', pen.gradient([light(cloth, 0.3), cloth])) +
    path('M-268 -236Q0 -170 268 -236v26Q0 -140 -268 -210z', dark(cloth, 0.35)) +
    path(boxPath(-330, -446, 150, 46, 22), lit(pen, cloth)) +
    path(boxPath(180, -446, 150, 46, 22), lit(pen, cloth)) +
    path('M222 -402h92l-12 96h-68z', dark(cloth, 0.25)) +
    line('M-250 -700L-262 -420M250 -700L262 -420', steel, 20)
  );
}

/** A knitted scarf folded once, with stripes and a fringe. */
export function scarf(pen: Pen): string {
  const band = (length: number) => {
    const outline = boxPath(-110, 0, 220, length, 8);
    return (
      flatShadow(outline, 18) +
      path(
        outline,
        pen.gradient([dark(pen.primary, 0.15), light(pen.primary, 0.12), dark(pen.primary, 0.2)], 'across'),
      ) +
      repeat(4, (i) =>
        rect(
          -110,
          length - 90 - i * 96,
          220,
          44,
          pen.gradient([dark(pen.accent, 0.1), light(pen.accent, 0.2), dark(pen.accent, 0.14)], 'across'),
        ),
      ) +
      repeat(10, (i) => line(`M${-92 + i * 20.5} 10V${length - 6}`, '#1d1020', 3, 'opacity=".14"')) +
      repeat(9, (i) =>
        line(`M${-98 + i * 24.5} ${length}v${56 + (i % 2) * 10}`, i % 2 ? pen.accent : pen.primary, 12),
      )
    );
  };
  const loop =
    'M-330 -260C-330 -440 330 -440 330 -260C330 -130 200 -70 90 -30L-60 -160C60 -190 130 -220 130 -260C130 -300 -130 -300 -130 -260C-130 -220 -40 -180 60 -120L-90 0C-230 -80 -330 -130 -330 -260z';
  return (
    move(-20, -70, turn(14, band(440))) +
    move(40, -90, turn(-16, band(480))) +
    flatShadow(loop, 18) +
    path(loop, pen.gradient([light(pen.primary, 0.24), pen.primary, dark(pen.primary, 0.25)])) +
    line('M-232 -262C-232 -380 232 -380 232 -262C232 -190 110 -130 -10 -78', pen.accent, 34) +
    line('M-232 -262C-220 -160 -120 -130 -30 -66', pen.accent, 34, 'opacity=".9"')
  );
}

/** A foam-handled pennant and a seat cushion. */
export function pennant(pen: Pen): string {
  const flag = 'M-430 -210L470 0L-430 210z';
  const star = 'M0 -104L26 -34L100 -32L42 14L62 86L0 46L-62 86L-42 14L-100 -32L-26 -34z';
  return (
    flatShadow(flag, 22) +
    flatShadow(boxPath(-476, -330, 34, 680, 17), 14) +
    rect(-476, -330, 34, 680, pen.gradient(['#d8b68c', '#9d6f45'], 'across'), 17) +
    path(flag, lit(pen, pen.primary)) +
    path('M-430 -210h56V192l-56 18z', pen.accent) +
    move(-220, 0, path(star, pen.accent)) +
    line('M-70 -46L190 14M-70 46L120 12', light(pen.primary, 0.4), 15) +
    ring(-220, 0, 126, pen.accent, 9)
  );
}

/** A kettle grill for the tailgate. */
export function grill(pen: Pen): string {
  const colour = pen.pick(['#2f2f37', pen.primary, '#34584f'] as const);
  return (
    groundShadow(pen, 520) +
    line('M-120 -250L-200 -10M120 -250L200 -10M0 -250V-20', '#55555e', 20) +
    line('M-168 -100H168', '#55555e', 12) +
    circle(-196, -34, 40, '#2b2b31') +
    circle(-196, -34, 16, '#b9bec6') +
    path('M-290 -450H290C280 -300 170 -230 0 -230S-280 -300 -290 -450z', round(pen, colour)) +
    path('M-296 -470C-280 -640 -150 -690 0 -690S280 -640 296 -470z', round(pen, colour)) +
    path('M-230 -500C-206 -600 -120 -646 -40 -656C-110 -620 -160 -570 -176 -500z', '#ffffff40') +
    rect(-306, -476, 612, 30, pen.gradient(['#f2efe9', '#9b9ca3']), 12) +
    line('M-46 -694v-30h92v30', '#c79c6d', 26) +
    line('M-296 -420h-70M296 -420h70', '#c79c6d', 26) +
    ellipse(110, -600, 30, 22, '#b9bec6')
  );
}
