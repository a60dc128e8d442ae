import type { Page } from '@playwright/test';

/**
 * Returns descriptions of what does not fit: a page that is wider than the window, text that is cut or that sticks out
 * of its control, and fields in which nothing could be read. Texts that people wrote may be shortened, and those marked
 * with `data-shortened`, which are whole elsewhere. Uses nothing outside the function, because it runs in the page.
 */
const collectCutTexts = (): string[] => {
  const found = new Set<string>();
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) found.add(`the page is ${page.scrollWidth} px wide`);
  const styles = new Map<Element, CSSStyleDeclaration>();
  const getStyle = (element: Element): CSSStyleDeclaration => {
    const style = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, style);
    return style;
  };
  const tolerance = 2;
  const isInside = (inner: DOMRect, outer: DOMRect) =>
    inner.left >= outer.left - tolerance && inner.right <= outer.right + tolerance;
  /** Whether the text is for screen readers only. */
  const isHidden = (text: Element): boolean => {
    for (let around: Element | null = text; around; around = around.parentElement)
      if (around.clientWidth === 1 && getStyle(around).overflowX === 'hidden') return true;
    return false;
  };
  /** Returns what is wrong with a line of text, if anything. */
  const findProblem = (line: DOMRect, parent: Element): string | undefined => {
    const control = parent.closest('button, a, summary, label, [role=option], [role=menuitem]');
    if (control && !isInside(line, control.getBoundingClientRect())) return 'sticks out of its control';
    for (let around: Element | null = parent; around; around = around.parentElement) {
      const { overflowX, overflowY } = getStyle(around);
      if (/auto|scroll/.test(`${overflowX} ${overflowY}`)) return undefined;
      const box = around.getBoundingClientRect();
      if (overflowX !== 'visible' && !isInside(line, box)) return 'is cut';
      if (overflowY !== 'visible' && (line.bottom > box.bottom + tolerance || line.top < box.top - tolerance))
        return 'is cut at the top or bottom';
    }
    return line.right > page.clientWidth + tolerance || line.left < -tolerance
      ? 'is outside the window'
      : undefined;
  };
  const ignored =
    'script, style, noscript, option, bdi, [dir="auto"], [aria-hidden="true"], [data-shortened]';
  const overlay = [...document.querySelectorAll('[role=dialog], [role=menu]')].at(-1);
  const walker = document.createTreeWalker(overlay ?? document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    const parent = text.parentElement;
    if (!parent || !text.data.trim() || parent.closest(ignored)) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || isHidden(parent))
      continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const line of range.getClientRects()) {
      const problem = line.width > 1 && findProblem(line, parent);
      if (problem) found.add(`"${text.data.trim().slice(0, 40)}" ${problem}`);
    }
  }
  for (const field of document.querySelectorAll<HTMLElement>(
    'input:not([type]), input[type=text], input[type=email], select, textarea',
  )) {
    if (!field.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { paddingLeft, paddingRight, fontSize } = getStyle(field);
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    if (room < 2 * Number.parseFloat(fontSize))
      found.add(`${field.getAttribute('aria-label') ?? field.id} has ${room} px`);
  }
  return [...found];
};

/** A phone with text at 200 %, and a phone of 390 × 844 px whose page is enlarged to 200 %. */
const largeTextWindows = [
  { width: 360, height: 740, textPercent: 200 },
  { width: 195, height: 422, textPercent: 100 },
];

/** Returns descriptions of what does not fit with text of twice the size, and changes the window to its last size. */
export const listCutTexts = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const { width, height, textPercent } of largeTextWindows) {
    await page.setViewportSize({ width, height });
    await page.evaluate((percent) => {
      document.documentElement.style.fontSize = `${percent}%`;
      // Menus get their new position in the next frame.
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, textPercent);
    const texts = await page.evaluate(collectCutTexts);
    found.push(...texts.map((it) => `${width} px, ${textPercent} %: ${it}`));
  }
  return found;
};
