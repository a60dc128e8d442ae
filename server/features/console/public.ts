/** Public API of the console for the start-up files. */
export { createOverviewService } from './overview/service.ts';
export { createPersonActions } from './people/actions-service.ts';
