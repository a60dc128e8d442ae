import { createHash } from 'node:crypto';
import { getBrandPalette } from '#contract/brand-colors.ts';
import type { Campus } from '#contract/campus.ts';
import { renderLogo } from '#contract/logo.ts';
import { escapeHtml } from './email-layout.ts';

// The styles repeat colors and sizes of web/styles/tokens.css, because this page must work without scripts
// and without the application.
const createPageCss = ({ colors }: Pick<Campus, 'colors'>): string => {
  const { light, dark } = getBrandPalette(colors?.brand);
  const pick = (name: keyof typeof light) => `light-dark(${light[name]}, ${dark[name]})`;
  return `
  :root { color-scheme: light dark; font: 16px/1.55 "Figtree Variable", system-ui, sans-serif }
  * { box-sizing: border-box }
  body {
    min-height: 100dvh; margin: 0; padding: 24px 16px; display: grid; place-content: center;
    grid-template-columns: minmax(0, 30rem);
    background: light-dark(#faf5ea, #17120f); color: light-dark(#261a14, #f7efe4)
  }
  header a {
    display: inline-flex; min-height: 44px; align-items: center; gap: 10px; margin-bottom: 16px;
    color: inherit; font-size: 1.3125rem; font-weight: 800; text-decoration: none
  }
  main {
    padding: 32px 24px; border: 1px solid light-dark(#e5dac6, #3b3029); border-radius: 20px;
    background: light-dark(#fffdf8, #201916)
  }
  h1 { margin: 0 0 12px; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.015em; text-wrap: balance }
  p { margin: 0 0 24px; color: light-dark(#67574a, #bdae9f); text-wrap: pretty }
  form { margin: 0 0 16px }
  button, .button {
    display: inline-flex; min-height: 48px; width: 100%; align-items: center; justify-content: center; padding: 0 20px;
    border: 0; border-radius: 12px; background: ${pick('brand')}; color: #fff; font: inherit;
    font-weight: 700; text-decoration: none; cursor: pointer
  }
  button:hover, .button:hover { background: ${pick('brand-hover')} }
  .subject { display: flex; align-items: center; gap: 12px; margin: 0 0 20px; font-weight: 700; overflow-wrap: anywhere }
  .subject img { width: 72px; height: 72px; border-radius: 10px; object-fit: cover; flex: none }
  nav { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 24px; margin: 0 0 16px }
  nav a {
    display: inline-flex; min-height: 44px; align-items: center; color: ${pick('brand-text')}; font-weight: 600
  }
  small { display: block; color: light-dark(#67574a, #bdae9f); font-size: .9375rem }
  small a { color: ${pick('brand-text')}; font-weight: 600 }
  :focus-visible { outline: 3px solid light-dark(#1d4f91, #8ec5ff); outline-offset: 3px; border-radius: 8px }
  button:focus-visible, .button:focus-visible { border-radius: 12px }
`;
};

/**
 * Returns the Content-Security-Policy of these pages, which allows only their inline styles, photos of the site, and forms
 * that post to the same origin.
 */
export const getEmailLinkPageCsp = (campus: Pick<Campus, 'colors'>): string => {
  const styleHash = createHash('sha256').update(createPageCss(campus)).digest('base64');
  return `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
};

export interface SiteContext {
  campus: Campus;
  publicUrl: string;
}

/** Returns the page that a link in an email opens. `body` is HTML. */
export const renderEmailLinkPage = (
  { campus, publicUrl }: SiteContext,
  title: string,
  body: string,
): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} | ${escapeHtml(campus.siteName)}</title><style>${createPageCss(campus)}</style></head>
<body><header><a href="${escapeHtml(publicUrl)}/">${renderLogo(getBrandPalette(campus.colors?.brand).light.brand, 'aria-hidden="true" width="36" height="36"')} ${escapeHtml(campus.siteName)}</a></header>
<main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>`;
