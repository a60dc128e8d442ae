import { expect, type Locator, type Page } from '@playwright/test';

// The following functions run in the page and therefore use nothing outside of them.

/** Returns a description of the problem if nothing has the focus, or if the focused element has no outline. */
const describeOutlineProblem = (): string | undefined => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return 'nothing has the focus';
  const hasOutline = (element: Element): boolean => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  };
  // Some focused elements do not draw their own outline. For a card or a radio option an ancestor draws it,
  // for a code input another part of the input.
  const ancestors: Element[] = [];
  for (let element: Element | null = focused; element; element = element.parentElement)
    ancestors.push(element);
  const boxes = [...(focused.closest('[data-input-otp-container]')?.querySelectorAll('*') ?? [])];
  if ([...ancestors, ...boxes].some(hasOutline)) return undefined;
  return `no outline on ${focused.outerHTML.slice(0, 160)}`;
};

/** Returns a description of the problem if the focused element is not visible. */
const describeCoverProblem = (): string | undefined => {
  const focused = document.activeElement;
  if (!focused) return 'nothing has the focus';
  const { top, bottom, left, right } = focused.getBoundingClientRect();
  const [x, y] = [
    (Math.max(0, left) + Math.min(innerWidth, right)) / 2,
    (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2,
  ];
  const there = document.elementFromPoint(x, y);
  if (there && (focused.contains(there) || there.contains(focused))) return undefined;
  return `covered or out of sight: ${focused.outerHTML.slice(0, 160)}`;
};

/**
 * Focuses every visible control of the page in turn, or of the open menu or dialog. Returns descriptions of those that
 * the Tab key does not reach, or on which the focus is not visible.
 */
const describeControls = (describeProblem: () => string | undefined): string[] => {
  const found: string[] = [];
  /** Widgets in which Tab reaches one control, and the arrow keys the others. */
  const compositeWidgets = '[role=tablist], [role=radiogroup], [role=menu], [role=listbox], [role=grid]';
  const overlay = [...document.querySelectorAll('[role=dialog], [role=menu]')].at(-1);
  const controls = [
    ...(overlay ?? document).querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role=slider], [role=option], [role=menuitem], [tabindex="0"]',
    ),
  ].filter(
    (it) =>
      !it.matches(`:disabled, [aria-disabled=true], [type=hidden], ${compositeWidgets}`) &&
      !it.closest('[inert], [aria-hidden=true], [data-sonner-toaster]') &&
      it.checkVisibility({ visibilityProperty: true }),
  );
  for (const control of controls) {
    const name = control.outerHTML.slice(0, 160);
    if (control.tabIndex < 0) {
      // A button opens the file chooser.
      if (!control.closest(compositeWidgets) && !control.matches('[type=file]'))
        found.push(`not in the Tab order: ${name}`);
      continue;
    }
    control.focus();
    // React draws the focus of a code input only after this function has ended.
    const isDrawnLater = control.matches('[data-input-otp]');
    const problem =
      document.activeElement !== control
        ? `cannot be focused: ${name}`
        : isDrawnLater
          ? undefined
          : describeProblem();
    if (problem) found.push(problem);
  }
  window.scrollTo(0, 0);
  return found;
};

const findFocusProblem = async (page: Page): Promise<string | undefined> =>
  (await page.evaluate(describeOutlineProblem)) ?? (await page.evaluate(describeCoverProblem));

/**
 * Returns descriptions of the visible controls that the keyboard does not reach, or on which the focus is not visible.
 * Tests that press Tab check the order on a few screens; this is fast enough for all screens.
 */
export const listUnreachableControls = async (page: Page): Promise<string[]> => {
  // After a key press, a browser shows the focus that a script moves.
  await page.keyboard.press('Tab');
  return page.evaluate<string[]>(`(${describeControls})(${describeOutlineProblem})`);
};

/** Expects the focused element to be visible and to have an outline. */
export const expectVisibleFocus = async (page: Page, where = ''): Promise<void> => {
  await expect.poll(() => findFocusProblem(page), where).toBeUndefined();
};

/**
 * Moves an item that was picked up by keyboard to the end of the list. The drag-and-drop library measures the
 * other items after the pick-up, and ignores keys until then, so key presses are repeated. Extra key presses
 * at the end change nothing.
 */
export const moveItemToEnd = async (page: Page, key: 'ArrowLeft' | 'ArrowRight', arrived: Locator) => {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(arrived).toBeAttached({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
};

/** Presses Tab until the element has the focus; expects a visible focus after each key press. */
export const focusByTab = async (
  target: Locator,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
  maxPresses = 90,
): Promise<void> => {
  const page = target.page();
  await expect(target).toHaveCount(1);
  for (let stop = 0; stop < maxPresses; stop += 1) {
    const before = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 160));
    await page.keyboard.press(key);
    const problem = await findFocusProblem(page);
    if (problem) await expectVisibleFocus(page, `${key} from ${before} on the way to ${target}`);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${maxPresses} times ${key} did not lead to ${target}`);
};

/** Moves the focus to the element by Tab and presses a key. */
export const focusAndPress = async (
  target: Locator,
  key = 'Enter',
  tab: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> => {
  await focusByTab(target, tab);
  await target.page().keyboard.press(key);
};

/** Moves the focus to the field by Tab, replaces its content and expects the new value. */
export const typeIntoField = async (target: Locator, text: string): Promise<void> => {
  await focusByTab(target);
  await target.page().keyboard.press('ControlOrMeta+a');
  await target.page().keyboard.type(text);
  await expect(target).toHaveValue(text);
};

export const expectHeadingFocused = async (page: Page, heading: string | RegExp): Promise<void> => {
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused();
};

/** Expects Tab and Shift+Tab to stay inside the dialog, and Escape to close it and return the focus to its opener. */
export const expectFocusTrap = async (dialog: Locator, opener: Locator): Promise<void> => {
  const page = dialog.page();
  const inside = () => dialog.evaluate((box) => box.contains(document.activeElement));
  await expect(dialog).toBeVisible();
  await expect.poll(inside).toBe(true);
  const stops = await dialog.locator('a, button, input, select, textarea').count();
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let stop = 0; stop <= stops; stop += 1) {
      await page.keyboard.press(key);
      expect(await inside(), `${key} stays in the dialog`).toBe(true);
      await expectVisibleFocus(page);
    }
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
};

/** Expects a toast that is announced to screen readers. */
export const expectAnnouncedToast = async (page: Page, text: string): Promise<void> => {
  await expect(page.locator('[aria-live=polite], [role=status]').getByText(text).first()).toBeVisible();
};

/** Expects the field to be marked as invalid, and the error message to be its accessible description. */
export const expectFieldError = async (field: Locator, sentence: string): Promise<void> => {
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(new RegExp(sentence.replaceAll(/[.?$]/g, '\\$&')));
};

/**
 * Waits until timers that the page has started without a delay have run. After a refused submission,
 * react-hook-form focuses the first invalid field at once and again in such a timer. If the next field is
 * reached in between, on a busy machine, the second call takes the focus away from it.
 */
export const waitForTimers = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((resolve) => setTimeout(resolve)));
