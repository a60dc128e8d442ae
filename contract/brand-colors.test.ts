import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createBrandPalette,
  defaultPalette,
  getContrast,
  neighborColors,
  renderBrandStyles,
} from './brand-colors.ts';

const tokens = readFileSync(new URL('../web/styles/tokens.css', import.meta.url), 'utf8').replaceAll(
  'var(--campus-primary)',
  '#990000',
);

test('the default palette is that of the design tokens', () => {
  for (const [name, light] of Object.entries(defaultPalette.light)) {
    const dark = defaultPalette.dark[name as keyof typeof defaultPalette.dark];
    expect(tokens).toContain(`--color-${name}: light-dark(${light}, ${dark})`);
  }
});

test('the neighbors are colors of the design tokens', () => {
  for (const color of Object.values(neighborColors).flatMap(({ paper, grounds, muted }) => [
    paper,
    ...grounds,
    muted,
  ]))
    expect(tokens).toContain(color);
});

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('every text in a palette has a contrast of 4.5:1, whatever the brand color', () => {
  fc.assert(
    fc.property(hex, (color) => {
      const palette = createBrandPalette(color);
      for (const theme of ['light', 'dark'] as const) {
        const { brand, ...others } = palette[theme];
        const { grounds, muted, gold } = neighborColors[theme];
        const ink = theme === 'light' ? '#261a14' : '#f7efe4';
        const pairs = [
          ...[brand, others['brand-hover'], others['brand-deep']].map((ground) => ['#ffffff', ground]),
          ...[...grounds, others['brand-soft']].map((ground) => [others['brand-text'], ground]),
          ...[ink, muted].map((text) => [text, others['brand-soft']]),
          ...[gold, others['on-brand-muted']].map((text) => [text, others['brand-deep']]),
        ];
        for (const [text = '', ground = ''] of pairs)
          expect(getContrast(text, ground), `${theme} ${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: 300 },
  );
});

test('a brand color that is dark enough stays as it is, and a light one is darkened', () => {
  expect(createBrandPalette('#00457c').light.brand).toBe('#00457c');
  expect(getContrast(createBrandPalette('#ffee00').light.brand, '#ffffff')).toBeGreaterThanOrEqual(4.5);
});

test('the default campus has no styles of its own', () => {
  expect(renderBrandStyles(undefined)).toBe('');
  expect(renderBrandStyles('#00457c')).toMatch(/^:root\{--color-brand:light-dark\(#00457c,#[\da-f]{6}\);/);
});
