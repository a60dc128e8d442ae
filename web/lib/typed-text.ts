type TextField = HTMLInputElement | HTMLTextAreaElement;

/** The fields of the document that the server has sent, until React has taken it over. */
let kept: { fields: TextField[]; focused: number } | undefined;

const listFields = (): TextField[] => [
  ...document.querySelectorAll<TextField>(
    'input[name]:not([type=checkbox],[type=radio],[type=file]), textarea[name]',
  ),
];

/** Types a text into a field, so that React notices it. */
const type = (field: TextField, text: string): void => {
  // React replaces the setter of the element, and ignores an event after which the value is the one that was set there.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

/** Remembers the fields of the document, until `forgetTypedText`. */
export const keepTypedText = (): void => {
  const fields = listFields();
  kept = { fields, focused: fields.indexOf(document.activeElement as HTMLInputElement) };
};

/**
 * Copies what was typed into the remembered fields to those that have replaced them, once React has finished. React
 * replaces all of a page that the browser has translated before React could take it over.
 */
export const restoreTypedText = (): void => {
  const before = kept;
  if (!before) return;
  queueMicrotask(() => {
    const after = listFields();
    for (const [index, { name, value, defaultValue, isConnected }] of before.fields.entries()) {
      const field = after[index];
      if (!isConnected && field?.name === name && value !== defaultValue && !field.value) type(field, value);
    }
    if (document.activeElement === document.body) after[before.focused]?.focus({ preventScroll: true });
  });
};

/** Ends this when React has taken the document over: fields replaced later are those of other screens. */
export const forgetTypedText = (): void => {
  kept = undefined;
};
