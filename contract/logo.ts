/**
 * Returns the logo as an SVG of 32 by 32 units, on a background in a color such as '#990000'. `attributes` are further ones
 * of the SVG element, such as its size. web/shell/logo.tsx shows the same drawing.
 */
export const renderLogo = (background: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"${attributes && ` ${attributes}`}><rect width="32" height="32" rx="7" fill="${background}"/><rect x="8" y="8" width="16" height="16" rx="2.5" fill="#6f9a4d"/><path d="m16.5 16.5 11 11" stroke="#fc0" stroke-width="4.5" stroke-linecap="round"/><circle cx="16.5" cy="16.5" r="3.2" fill="#fc0"/></svg>`;
