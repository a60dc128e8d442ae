/** What other folders may use of the data export. */
export { createDataExport } from './service.ts';
