type Rgb = readonly [number, number, number];

const parseHex = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

const toHex = (color: Rgb): string =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/** Mixes two colors; a share of 0 is the first one. */
const mix = (one: string, other: string, share: number): string => {
  const [first, second] = [parseHex(one), parseHex(other)];
  const blend = (at: 0 | 1 | 2) => first[at] * (1 - share) + second[at] * share;
  return toHex([blend(0), blend(1), blend(2)]);
};

const getLuminance = (hex: string): number => {
  const [red, green, blue] = parseHex(hex).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Returns the contrast ratio of two colors (WCAG 2.2), from 1 to 21. */
export const getContrast = (one: string, other: string): number => {
  const [first, second] = [getLuminance(one), getLuminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
};

const minContrast = 4.5;

/** Mixes a color with black or white until all the others are readable on it, or it on them. */
const makeReadable = (color: string, towards: string, others: readonly string[]): string => {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(color, towards, share);
    if (others.every((other) => getContrast(mixed, other) >= minContrast)) return mixed;
  }
  return towards;
};

const [black, white] = ['#000000', '#ffffff'];
/** Colors of web/styles/tokens.css that are beside the brand color. A test compares them. */
export const neighborColors = {
  light: { paper: '#faf5ea', grounds: ['#f2eadb', '#f3ebdd', '#faf5ea'], muted: '#67574a', gold: '#ffcc00' },
  dark: { paper: '#17120f', grounds: ['#322823', '#2b221e', '#17120f'], muted: '#bdae9f', gold: '#f5c518' },
};

const colorNames = [
  'brand',
  'brand-hover',
  'brand-text',
  'brand-soft',
  'brand-deep',
  'on-brand-muted',
] as const;
/** The colors that follow from the brand color, for each theme. */
export type BrandPalette = Record<'light' | 'dark', Record<(typeof colorNames)[number], string>>;

/**
 * Returns the palette of a brand color (#rrggbb) in both themes, in which every text has a contrast of 4.5:1. A color that is
 * too light for white text on it is darkened.
 */
export const createBrandPalette = (color: string): BrandPalette => {
  const [brand, brandDark] = [
    makeReadable(color, black, [white]),
    makeReadable(mix(color, white, 0.08), black, [white]),
  ];
  const { light, dark } = neighborColors;
  const softLight = makeReadable(mix(light.paper, brand, 0.06), white, [light.muted]);
  const softDark = makeReadable(mix(dark.paper, brand, 0.25), black, [dark.muted]);
  const [mutedLight, mutedDark] = [mix(white, brand, 0.12), mix('#d9d0c8', brand, 0.08)];
  return {
    light: {
      brand,
      'brand-hover': mix(brand, black, 0.2),
      'brand-text': makeReadable(brand, black, [...light.grounds, softLight]),
      'brand-soft': softLight,
      'brand-deep': makeReadable(mix(brand, black, 0.4), black, [mutedLight, light.gold]),
      'on-brand-muted': mutedLight,
    },
    dark: {
      brand: brandDark,
      'brand-hover': makeReadable(mix(brandDark, white, 0.1), black, [white]),
      'brand-text': makeReadable(mix(color, white, 0.4), white, [...dark.grounds, softDark]),
      'brand-soft': softDark,
      'brand-deep': makeReadable(mix(brand, black, 0.6), black, [mutedDark, dark.gold]),
      'on-brand-muted': mutedDark,
    },
  };
};

/** The palette of the default campus, as in web/styles/tokens.css. A test compares them. */
export const defaultPalette: BrandPalette = {
  light: {
    brand: '#990000',
    'brand-hover': '#7d0000',
    'brand-text': '#990000',
    'brand-soft': '#fbe9e4',
    'brand-deep': '#5e0707',
    'on-brand-muted': '#f3d9cd',
  },
  dark: {
    brand: '#b01c1c',
    'brand-hover': '#c42a27',
    'brand-text': '#ff9b90',
    'brand-soft': '#3d1a17',
    'brand-deep': '#391110',
    'on-brand-muted': '#d9bfb4',
  },
};

/** Returns the palette of a campus, or the default one if it has no brand color. */
export const getBrandPalette = (brandColor: string | undefined): BrandPalette =>
  brandColor === undefined ? defaultPalette : createBrandPalette(brandColor);

/** Returns the styles that replace the brand colors of the site, or none for the default campus. */
export const renderBrandStyles = (brandColor: string | undefined): string => {
  if (brandColor === undefined) return '';
  const { light, dark } = createBrandPalette(brandColor);
  const tokens = colorNames.map((name) => `--color-${name}:light-dark(${light[name]},${dark[name]})`);
  return `:root{${tokens.join(';')}}`;
};
