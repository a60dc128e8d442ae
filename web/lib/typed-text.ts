const listFields = (): (HTMLInputElement | HTMLTextAreaElement)[] => [
  ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'input[name]:not([type=checkbox],[type=radio],[type=file]), textarea[name]',
  ),
];

/** Types a text into a field, so that React notices it. */
const type = (field: HTMLInputElement | HTMLTextAreaElement, text: string): void => {
  // React replaces the setter of the element, and ignores an event after which the value is the one that was set there.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

/**
 * Remembers the fields of the document. Returns a function that copies what was typed into them to the fields that have
 * replaced them. React replaces all of a page that the browser has translated before React could take it over.
 */
export const keepTypedText = (): (() => void) => {
  const before = listFields();
  const focused = before.indexOf(document.activeElement as HTMLInputElement);
  return () => {
    const after = listFields();
    for (const [index, { name, value, defaultValue, isConnected }] of before.entries()) {
      const field = after[index];
      if (!isConnected && field?.name === name && value !== defaultValue && !field.value) type(field, value);
    }
    if (document.activeElement === document.body) after[focused]?.focus({ preventScroll: true });
  };
};
