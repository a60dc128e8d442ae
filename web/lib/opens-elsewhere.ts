/** The keys that are held during a click. */
type HeldKeys = Pick<MouseEvent, 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>;

/** Returns whether a click on a link opens another tab or window, or downloads its target. */
export const opensElsewhere = ({ metaKey, ctrlKey, shiftKey, altKey }: HeldKeys): boolean =>
  metaKey || ctrlKey || shiftKey || altKey;
