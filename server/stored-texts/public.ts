/** What other folders may use of the check of stored texts. */
export { createStoredTexts } from './service.ts';
