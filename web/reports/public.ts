/**
 * The public API of the reports feature for other features and the shell. Route modules may also import the feature's
 * components directly.
 */

export { PersonReportDialog } from './person-report-dialog.tsx';
export { ReportFormDialog } from './report-form-dialog.tsx';
