import { watchBlockedIds } from './blocked-ids.ts';

/**
 * Hides the listings of blocked people in all lists until the returned function is called. The HTML of a
 * page is the same for everyone, so this adds a style sheet that hides cards by their `data-owner`
 * attribute.
 */
export const hideListingsOfBlockedPeople = (ownId: string): (() => void) => {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const stop = watchBlockedIds(ownId, (ids) => {
    const cards = ids.map((id) => `[data-owner="${CSS.escape(id)}"]`);
    sheet.replaceSync(cards.length > 0 ? `${cards.join(',')} { display: none }` : '');
  });
  return () => {
    stop();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((it) => it !== sheet);
  };
};
