export { exportPersonalData } from './export.ts';
