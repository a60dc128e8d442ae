let hasReceivedInput = false;

/** Watches for the first tap or key press in this document. Call it before the page can be used. */
export const watchFirstInput = (): void => {
  for (const type of ['pointerdown', 'keydown'])
    window.addEventListener(type, () => (hasReceivedInput = true), { once: true, capture: true });
};

/**
 * Returns whether the person has tapped or pressed a key in this document. (The browser's own
 * `navigator.userActivation` stays true after a reload.)
 */
export const hasInteractedWithPage = (): boolean => hasReceivedInput;
