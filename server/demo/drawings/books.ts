import { dark, light, mix } from './colour.ts';
import { lit, type Pen } from './pen.ts';
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
  scale,
  turn,
} from './shapes.ts';

/** What a course book shows on its cover. */
const MOTIFS = {
  chemistry: (ink: string, soft: string) =>
    path('M-50 -150H50V-30L150 150Q160 190 120 190H-120Q-160 190 -150 150L-50 -30z', soft) +
    path('M-84 40H84L140 150Q150 180 116 180H-116Q-150 180 -140 150z', ink) +
    circle(-30, 100, 22, soft) +
    circle(40, 130, 15, soft) +
    circle(10, -190, 22, ink) +
    circle(56, -240, 14, soft),
  mathematics: (ink: string, soft: string) =>
    line('M-190 150H190M-150 200V-190', soft, 12) +
    line('M-170 130C-90 130 -80 -150 0 -150S90 130 180 110', ink, 20) +
    circle(0, -150, 24, soft),
  economics: (ink: string, soft: string) =>
    repeat(5, (i) =>
      rect(
        -180 + i * 76,
        160 - (i + 1) * 56 - (i % 2) * 20,
        52,
        (i + 1) * 56 + (i % 2) * 20,
        i % 2 ? soft : ink,
        8,
      ),
    ) + line('M-180 -20L-60 -90L30 -60L180 -210', soft, 16),
  biology: (ink: string, soft: string) =>
    repeat(9, (i) =>
      line(`M${-110 * Math.cos(i * 0.62)} ${-200 + i * 50}H${110 * Math.cos(i * 0.62)}`, soft, 10),
    ) +
    line('M-110 -200C-110 -90 110 -70 110 20S-110 130 -110 220', ink, 20) +
    line('M110 -200C110 -90 -110 -70 -110 20S110 130 110 220', light(ink, 0.3), 20),
  physics: (ink: string, soft: string) =>
    repeat(3, (i) =>
      turn(i * 60, `<ellipse rx="200" ry="74" fill="none" stroke="${soft}" stroke-width="12"/>`),
    ) +
    circle(0, 0, 42, ink) +
    circle(200, 0, 20, ink) +
    circle(-100, 173, 20, ink) +
    circle(-100, -173, 20, ink),
  computing: (ink: string, soft: string) =>
    line('M-90 -110L-190 0L-90 110M90 -110L190 0L90 110', ink, 30) + line('M44 -150L-44 150', soft, 24),
  literature: (ink: string, soft: string) =>
    path('M-170 190C-120 20 20 -160 190 -210C190 -60 70 80 -70 110z', ink) +
    line('M-200 220C-100 60 0 -60 120 -150', soft, 10),
  arts: (ink: string, soft: string) =>
    circle(-60, -60, 120, soft) +
    path('M-40 190L120 -110L220 190z', ink) +
    rect(-190, 30, 150, 150, light(ink, 0.4)),
} as const;

type Subject = keyof typeof MOTIFS;

const COVERS = [
  ['#2f4a6b', '#f0c869'],
  ['#7a2338', '#f2d3b3'],
  ['#3f6a5c', '#f1e6d2'],
  ['#d9a23f', '#5a2f3f'],
  ['#c4573f', '#f6dfb8'],
  ['#4a4468', '#e5a48a'],
  ['#e9dcc5', '#a8433a'],
] as const;

/** One course book lying flat, its pages showing at the right and below. */
function book(pen: Pen, subject: Subject): string {
  const [cover, ink] = pen.pick(COVERS);
  const body = boxPath(-290, -400, 580, 800, 16);
  return (
    flatShadow(boxPath(-290, -400, 606, 822, 16), 26) +
    path(boxPath(-272, -384, 588, 806, 14), dark(cover, 0.4)) +
    rect(-270, -380, 572, 788, '#f6eedd', 8) +
    repeat(5, (i) => line(`M${292 + i * 2.4} -370V402`, '#cdbfa6', 1.4)) +
    path(body, lit(pen, cover)) +
    rect(-290, -400, 46, 800, dark(cover, 0.3), 12) +
    rect(-244, -400, 8, 800, light(cover, 0.25)) +
    move(26, -40, MOTIFS[subject](ink, mix(cover, ink, 0.45))) +
    rect(-170, -344, 390, 34, ink, 6) +
    rect(-110, -296, 270, 18, mix(cover, ink, 0.6), 6) +
    rect(-80, 320, 210, 18, mix(cover, ink, 0.6), 6) +
    path('M-290 -400H60L-240 400H-290z', '#ffffff12')
  );
}

export const textbook =
  (subject: Subject) =>
  (pen: Pen): string =>
    book(pen, subject);

/** Two course books, one on the other. */
export const textbookPair =
  (first: Subject, second: Subject) =>
  (pen: Pen): string =>
    move(150, 30, turn(13, scale(0.94, 0.94, book(pen, second)))) +
    move(-130, -10, turn(-8, scale(0.96, 0.96, book(pen, first))));

/** A pile of books with a cup or an apple on top. */
export function bookPile(pen: Pen): string {
  const pile = repeat(5, (i) => {
    const [cover] = pen.pick(COVERS);
    const width = 660 - i * 26 + pen.between(-40, 40);
    const x = pen.between(-36, 36);
    return move(
      x,
      -i * 92,
      rect(-width / 2, -92, width, 92, pen.gradient([light(cover, 0.2), cover, dark(cover, 0.3)]), 12) +
        rect(width / 2 - 60, -80, 66, 66, pen.gradient(['#fff8e8', '#d9ccb2']), 4) +
        repeat(4, (j) => line(`M${width / 2 - 56} ${-68 + j * 14}h58`, '#c9bb9f', 2)) +
        rect(-width / 2 + 50, -64, 26, 36, light(cover, 0.6), 4) +
        rect(-width / 2 + 96, -56, 180, 20, light(cover, 0.5), 4),
    );
  });
  const apple =
    path(
      'M0 -120C-80 -170 -130 -90 -100 -30C-80 10 -30 10 0 -4C30 10 80 10 100 -30C130 -90 80 -170 0 -120z',
      pen.gradient(['#e0705a', '#a8332c'], 'diagonal'),
    ) +
    line('M0 -116Q4 -160 30 -176', '#6b4a3a', 11) +
    path('M12 -146Q70 -190 96 -140Q50 -116 12 -146z', '#7c9a4e') +
    ellipse(-46, -88, 18, 28, '#ffffff66');
  return groundShadow(pen, 780) + pile + move(30, -460, apple);
}
