import styles from './app.css?inline';

// In development, the styles are a separate file, because the development server can update only
// separate files in an open page.
const stylesElement = import.meta.env.DEV
  ? '<link rel="stylesheet" href="/web/styles/app.css">'
  : `<style>${styles}</style>`;

/**
 * Returns the HTML document with the styles of all screens inserted, because the first paint would
 * otherwise have to wait for another file. React keeps the inserted styles when it hydrates the head.
 */
export const insertStyles = (html: string): string =>
  html.replace('</head>', () => `${stylesElement}</head>`);
