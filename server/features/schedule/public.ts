export { replaceSchedule } from './schedule.ts';
export { parseSchedule } from './schedule-file.ts';
