/** What other folders may use of backups. */
export { makeBackup } from './backup-service.ts';
export { readManifest } from './manifest-service.ts';
export { restoreBackup } from './restore-service.ts';
