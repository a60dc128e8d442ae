import { dark, light } from './colour.ts';
import { metal, type Pen } from './pen.ts';
import { boxPath, circle, ellipse, flatShadow, groundShadow, move, path, rect, turn } from './shapes.ts';

/** What a screen shows: hills at some hour of the day. */
function landscape(pen: Pen, x: number, y: number, w: number, h: number): string {
  const [sky, sun, hill] = pen.pick([
    [['#34506f', '#e0876a', '#f4c37a'], '#ffe9b8', '#4a3b55'],
    [['#4f8fa8', '#bfe0d4'], '#fff6d8', '#3f6f5c'],
    [['#5a3f6e', '#c9627a', '#f0a878'], '#ffdca0', '#33284a'],
  ] as const);
  return pen.inside(
    rect(x, y, w, h, '#fff', 6),
    rect(x, y, w, h, pen.gradient(sky)) +
      circle(x + w * 0.64, y + h * 0.52, h * 0.15, sun) +
      path(
        `M${x} ${y + h * 0.66}Q${x + w * 0.25} ${y + h * 0.4} ${x + w * 0.5} ${y + h * 0.68}T${x + w} ${y + h * 0.6}V${y + h}H${x}z`,
        light(hill, 0.25),
      ) +
      path(
        `M${x} ${y + h * 0.84}Q${x + w * 0.4} ${y + h * 0.6} ${x + w} ${y + h * 0.86}V${y + h}H${x}z`,
        hill,
      ) +
      path(`M${x} ${y}H${x + w * 0.5}L${x + w * 0.2} ${y + h}H${x}z`, '#ffffff1c'),
  );
}

export function laptop(pen: Pen): string {
  const shell = pen.pick(['#c3c6cb', '#4a4e57', '#d9c3a5'] as const);
  return (
    groundShadow(pen, 1120) +
    path(boxPath(-430, -620, 860, 560, 34), pen.gradient([dark(shell, 0.5), dark(shell, 0.65)])) +
    landscape(pen, -404, -594, 808, 492) +
    circle(0, -606, 6, '#6c7079') +
    path(
      'M-430 -62H430L540 -14q0 14 -24 14H-516q-24 0 -24 -14z',
      pen.gradient([light(shell, 0.4), shell, dark(shell, 0.35)]),
    ) +
    path('M-384 -54H384L420 -34H-420z', dark(shell, 0.6)) +
    path('M-110 -28H110L122 -12H-122z', dark(shell, 0.12)) +
    rect(-540, -16, 1080, 5, '#ffffff55')
  );
}

export function monitor(pen: Pen): string {
  return (
    groundShadow(pen, 560) +
    path('M-70 -200H70L96 -20H-96z', metal(pen, '#9a9ea6')) +
    ellipse(0, -14, 210, 26, '#6c7079') +
    ellipse(0, -22, 208, 24, metal(pen)) +
    path(boxPath(-520, -750, 1040, 580, 22), pen.gradient(['#3a3c44', '#1f2026'])) +
    landscape(pen, -498, -728, 996, 510) +
    circle(0, -192, 7, '#8be0a4')
  );
}

export function tablet(pen: Pen): string {
  const body = boxPath(-450, -330, 900, 640, 46);
  return (
    turn(
      -6,
      flatShadow(body, 22) +
        path(body, pen.gradient(['#4a4e57', '#23242a'], 'diagonal')) +
        landscape(pen, -410, -290, 820, 560),
    ) +
    move(
      190,
      330,
      turn(
        -14,
        flatShadow(boxPath(-330, -18, 640, 36, 18), 14) +
          rect(-330, -18, 600, 36, pen.gradient(['#ffffff', '#d3cdc2']), 18) +
          path('M270 -18l56 18l-56 18z', '#8d8a86') +
          rect(-300, -18, 14, 36, pen.accent),
      ),
    )
  );
}
