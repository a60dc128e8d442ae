export { replaceSchedule } from './schedule.ts';
