/** Public API of backups for the rest of the server. */
export { makeBackup } from './backup-service.ts';
export { readManifest } from './manifest-service.ts';
export { restoreBackup } from './restore-service.ts';
