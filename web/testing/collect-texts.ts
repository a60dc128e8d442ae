/**
 * Returns the texts that the page shows or announces: those of visible elements, including their labels, placeholders
 * and options. Uses nothing outside the function, so that end-to-end tests can run it in a page.
 */
export const collectTexts = (): string[] => {
  const texts = new Set<string>([document.title]);
  const add = (text: string | null) => text && texts.add(text.replaceAll(/\s+/g, ' ').trim());
  for (const element of document.querySelectorAll('body *')) {
    if (element.matches('script, style')) continue;
    if (element.matches('option')) add(element.textContent);
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) add(element.getAttribute(name));
    const ownTexts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    for (const { textContent } of ownTexts) add(textContent);
    // A sentence may be in several elements that follow each other in a line.
    const isLine = [...element.children].every((it) =>
      /^(inline|contents)/.test(getComputedStyle(it).display),
    );
    if (ownTexts.length > 0 || isLine) add(element.textContent);
  }
  return [...texts];
};

export const listMissingTexts = (expected: readonly string[], shown: Iterable<string>): string[] => {
  const all = [...shown];
  // A short text could occur by chance within another one, so it must be a whole text or its first words.
  return expected.filter(
    (text) =>
      !all.some((it) => (text.length < 12 ? it === text || it.startsWith(`${text} `) : it.includes(text))),
  );
};
