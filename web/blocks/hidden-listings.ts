import { watchBlockedIds } from './blocked-ids.ts';

/**
 * Hides the listings of the people whom the person blocked, in all lists, until the returned function is called. Pages are
 * the same for everyone, so a style sheet of this tab hides the cards by their `data-owner`.
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
