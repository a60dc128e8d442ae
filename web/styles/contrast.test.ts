import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { themeColors } from '#contract/pwa.ts';

const tokensCss = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const themes = ['light', 'dark'] as const;

/** Returns the hex value of a color token in a theme. */
function resolveColor(name: string, theme: (typeof themes)[number]): string {
  const value = tokensCss.match(new RegExp(`--${name}: ([^;]+);`))?.[1];
  if (!value) throw new Error(`No token --${name}`);
  const pair = value.match(/^light-dark\((.+), (.+)\)$/);
  const themeValue = pair?.[theme === 'light' ? 1 : 2] ?? value;
  const reference = themeValue.match(/^var\(--(.+)\)$/)?.[1];
  return reference ? resolveColor(reference, theme) : themeValue;
}

function relativeLuminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function calculateContrastRatio(first: string, second: string): number {
  const [dark = 0, light = 0] = [relativeLuminance(first), relativeLuminance(second)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const backgroundColors = ['paper', 'sunken', 'surface', 'raised', 'hover'];
const textColors = ['ink', 'ink-muted', 'brand-text', 'gold-text', 'lawn-text', 'danger', 'info-text'];
const textColorPairs = [
  ...textColors.flatMap((text) => backgroundColors.map((ground) => [text, ground] as const)),
  ...['brand', 'gold', 'lawn', 'danger', 'info'].map((tone) => ['ink', `${tone}-soft`] as const),
  ['ink', 'line'],
  ['brand-text', 'brand-soft'],
  ['gold-text', 'gold-soft'],
  ['lawn-text', 'lawn-soft'],
  ['danger', 'danger-soft'],
  ['info-text', 'info-soft'],
  ['ink-muted', 'brand-soft'],
  ['ink-muted', 'danger-soft'],
  ['ink-inverse', 'danger'],
  ['on-brand', 'brand'],
  ['on-brand', 'brand-hover'],
  ['on-brand', 'brand-deep'],
  ['on-brand-muted', 'brand-deep'],
  ['gold', 'brand-deep'],
  ['on-gold', 'gold'],
  ['on-gold', 'gold-hover'],
] as const;

const edgeColorPairs = ['line-strong', 'focus'].flatMap((edge) =>
  ['paper', 'surface', 'raised'].map((ground) => [edge, ground] as const),
);

for (const theme of themes) {
  test.each(textColorPairs)(`in the ${theme} theme %s on %s is readable (4.5:1)`, (text, ground) => {
    expect(
      calculateContrastRatio(resolveColor(`color-${text}`, theme), resolveColor(`color-${ground}`, theme)),
    ).toBeGreaterThanOrEqual(4.5);
  });

  test.each(edgeColorPairs)(`in the ${theme} theme %s is visible on %s (3:1)`, (edge, ground) => {
    expect(
      calculateContrastRatio(resolveColor(`color-${edge}`, theme), resolveColor(`color-${ground}`, theme)),
    ).toBeGreaterThanOrEqual(3);
  });
}

test('the frame colors of the browser equal the color tokens of the site', () => {
  expect(themeColors).toEqual({
    brand: resolveColor('color-brand', 'light'),
    brandDark: resolveColor('color-brand-deep', 'dark'),
    paper: resolveColor('color-paper', 'light'),
  });
});
