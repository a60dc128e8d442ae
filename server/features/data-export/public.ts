/** Public API of the data export for the rest of the server. */
export { createDataExportService } from './service.ts';
