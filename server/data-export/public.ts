/** Public API of the data export for other features and the shell. */
export { createDataExportService } from './service.ts';
