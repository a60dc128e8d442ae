import { renderBrandStyles } from '#contract/brand-colors.ts';
import type { Campus } from '#contract/campus.ts';
import styles from './app.css?inline';

// In development, the styles are a separate file, because the development server can update only
// separate files in an open page.
const stylesElement = import.meta.env.DEV
  ? '<link rel="stylesheet" href="/web/styles/app.css">'
  : `<style>${styles}</style>`;

/**
 * Returns the HTML document with the styles of all screens and the colors of the campus inserted, because the first paint would
 * otherwise have to wait for another file. React keeps the inserted styles when it hydrates the head.
 */
export const insertStyles = (html: string, { colors }: Pick<Campus, 'colors'>): string => {
  const brandStyles = renderBrandStyles(colors?.brand);
  return html.replace(
    '</head>',
    () => `${stylesElement}${brandStyles && `<style>${brandStyles}</style>`}</head>`,
  );
};
