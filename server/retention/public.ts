/** What other folders may use of retention. */
export { createRetention } from './service.ts';
