import type { BrowserContext } from '@playwright/test';

/**
 * Runs in the page. Replaces the text nodes of the page, from when it is loaded on, as Chrome's translation does: by two
 * nested `font` elements with a new text node, here with the same text. Text that arrives later is replaced, too.
 */
const translate = (): void => {
  const untranslated = 'script, style, textarea, noscript, font, [translate="no"]';
  const replace = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node as Text;
      if (!/\S/.test(text.data) || !text.parentElement || text.parentElement.closest(untranslated)) return;
      const inner = document.createElement('font');
      inner.textContent = text.data;
      const outer = document.createElement('font');
      outer.append(inner);
      text.replaceWith(outer);
      return;
    }
    for (const child of [...node.childNodes]) replace(child);
  };
  addEventListener('load', () => {
    replace(document.body);
    new MutationObserver((changes) => {
      for (const { addedNodes, target, type } of changes)
        for (const node of type === 'characterData' ? [target] : addedNodes)
          if (node.isConnected) replace(node);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
};

/** Makes all pages of a browser context behave as if their reader had them translated. */
export const translatePages = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript(translate);
};
