import { lazyDialog } from '#web/ui/lazy-component.tsx';

/**
 * The public API of the forms feature for other features and the shell. Route modules may also
 * import the feature's components directly.
 */
export const ReportDialog = lazyDialog(async () => (await import('./report-dialog.tsx')).ReportDialog);
