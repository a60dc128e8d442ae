import { expect, test } from 'vitest';
import { createAvatarBackground } from './avatar-background.ts';

test.each([
  ['', '#7d0a12, #a33b1f 50%, #8a5a0b 50%, #2f5d3a'],
  ['Ann Lee', '#a33b1f, #8a5a0b 50%, #2f5d3a 50%, #23506b'],
  ['Maya Torres', '#23506b, #7d0a12 50%, #a33b1f 50%, #8a5a0b'],
  ['José Álvarez', '#7d0a12, #a33b1f 50%, #8a5a0b 50%, #2f5d3a'],
  ['李小龍', '#2f5d3a, #23506b 50%, #7d0a12 50%, #a33b1f'],
  ['👩🏽‍🎓 Kim', '#a33b1f, #8a5a0b 50%, #2f5d3a 50%, #23506b'],
  ['A very long name of somebody who has six names', '#a33b1f, #8a5a0b 50%, #2f5d3a 50%, #23506b'],
])('the avatar of "%s" keeps its colors', (name, colors) => {
  expect(createAvatarBackground(name)).toBe(`linear-gradient(${colors})`);
});
