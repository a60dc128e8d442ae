import { dark, light, mix } from './colour.ts';
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
  turn,
} from './shapes.ts';

export function notebooks(pen: Pen): string {
  const sheet = (cover: string, ink: string) =>
    flatShadow(boxPath(-250, -350, 500, 700, 24), 22) +
    path(boxPath(-250, -350, 500, 700, 24), lit(pen, cover)) +
    rect(-110, -230, 260, 130, light(cover, 0.6), 12) +
    line('M-80 -186H120M-80 -146H60', ink, 9) +
    repeat(
      12,
      (i) =>
        circle(-214, -306 + i * 55, 12, dark(cover, 0.5)) + line(`M-268 ${-306 + i * 55}h52`, '#d9d3cb', 11),
    );
  const colours = pen.pick([
    ['#d98c6c', '#3f6a6e', '#e6b65c'],
    ['#5d6f93', '#d9a845', '#b9637a'],
    ['#7c8a5e', '#a8433a', '#e9dcc5'],
  ] as const);
  return (
    move(200, -20, turn(15, sheet(colours[2], '#3a3a42'))) +
    turn(3, sheet(colours[1], '#3a3a42')) +
    move(-210, 20, turn(-10, sheet(colours[0], '#3a3a42'))) +
    move(
      330,
      250,
      turn(
        -52,
        rect(-260, -17, 470, 34, pen.gradient(['#f4cf6b', '#d99f2f']), 4),
        path('M210 -17l70 17l-70 17z', '#ecd3ac'),
        path('M258 -6l24 6l-24 6z', '#33343a'),
        rect(-300, -17, 46, 34, '#e0705a', 10),
      ),
    )
  );
}

export function flashcards(pen: Pen): string {
  const ink = pen.pick(['#3f6a6e', '#a8433a', '#5d6f93'] as const);
  const card = (colour: string) =>
    flatShadow(boxPath(-330, -210, 660, 420, 22), 14) +
    rect(-330, -210, 660, 420, colour, 22) +
    line('M-330 -120H330', mix(colour, ink, 0.6), 5) +
    repeat(4, (i) => line(`M-290 ${-50 + i * 62}H290`, mix(colour, '#6f9fd0', 0.4), 3));
  return (
    move(110, -110, turn(19, card('#cfe0d6'))) +
    move(50, -50, turn(8, card('#f3d9a0'))) +
    move(
      -40,
      50,
      turn(
        -6,
        card('#fffaf0'),
        line('M-250 20C-190 -60 -150 90 -90 10S10 -20 40 40M110 0l80 80m0 -80l-80 80', ink, 17),
        rect(-290, -176, 220, 26, ink, 10),
        circle(270, -164, 22, '#e0705a'),
      ),
    )
  );
}

export function deskOrganizer(pen: Pen): string {
  const timber = pen.pick(['#c08a52', '#e9dfce', '#4f7a78'] as const);
  const pencil = (x: number, tall: number, colour: string, lean: number) =>
    move(
      x,
      -240,
      turn(
        lean,
        rect(-14, -tall, 28, tall, pen.gradient([light(colour, 0.3), colour], 'across')),
        path(`M-14 ${-tall}L0 ${-tall - 46}L14 ${-tall}z`, '#ecd3ac'),
      ),
    );
  return (
    groundShadow(pen, 900) +
    pencil(-330, 300, '#e6b65c', -8) +
    pencil(-280, 350, '#c4573f', 2) +
    pencil(-230, 290, '#3f7f86', 9) +
    pencil(-190, 240, '#7c8a5e', 15) +
    rect(40, -430, 150, 200, '#f4ecdd', 6) +
    rect(90, -460, 150, 220, lit(pen, '#d98c6c'), 6) +
    rect(150, -420, 150, 200, lit(pen, '#5d6f93'), 6) +
    path(boxPath(-410, -300, 320, 300, 26), lit(pen, timber)) +
    path(boxPath(-110, -240, 530, 240, 26), lit(pen, light(timber, 0.1))) +
    rect(-80, -150, 470, 126, pen.gradient([timber, dark(timber, 0.16)]), 14) +
    circle(155, -88, 20, metal(pen, '#d9a845')) +
    rect(-110, -250, 530, 26, light(timber, 0.35), 12)
  );
}

export function whiteboard(pen: Pen): string {
  return (
    groundShadow(pen, 820) +
    line('M-330 -420L-400 0M330 -420L400 0', '#6c7079', 24) +
    path(boxPath(-520, -760, 1040, 600, 24), pen.gradient(['#d9d6d0', '#8d8a86'])) +
    rect(-490, -732, 980, 544, pen.gradient(['#ffffff', '#eceae4'], 'diagonal'), 10) +
    line('M-430 -330H-90M-430 -330V-650', '#3a3a42', 11) +
    line('M-420 -350C-330 -360 -300 -560 -220 -560S-130 -420 -90 -620', '#c4573f', 15) +
    line('M20 -640H400M20 -580H300', '#3f6a9a', 13) +
    ring(120, -420, 74, '#4f7d57', 13) +
    ring(330, -420, 74, '#d9a23f', 13) +
    line('M196 -420H250', '#3a3a42', 12) +
    rect(-200, -200, 400, 30, '#a39a8b', 10) +
    rect(-150, -216, 110, 20, '#c4573f', 8) +
    rect(-20, -216, 110, 20, '#3f6a9a', 8)
  );
}

export function backlitLamp(pen: Pen): string {
  const colour = pen.pick(['#e9dcc8', '#d98c6c', '#9fc0b3'] as const);
  return (
    groundShadow(pen, 420) +
    ellipse(0, -560, 560, 460, pen.glow('#ffeeb8', 0.8)) +
    path('M-60 -330H60Q130 -180 90 -30Q80 0 40 0H-40Q-80 0 -90 -30Q-130 -180 -60 -330z', round(pen, colour)) +
    rect(-14, -410, 28, 90, metal(pen, '#d9a845')) +
    path('M-150 -740H150L250 -390Q0 -340 -250 -390z', pen.gradient(['#fff3d0', '#fbe0a4', '#e8bd79'])) +
    line('M-100 -740L-160 -380M100 -740L160 -380M0 -740V-366', '#d9a86a', 5, 'opacity=".6"')
  );
}
