/** The backup folder's public API for other folders. */
export { makeBackup } from './backup-service.ts';
export { readManifest } from './manifest-service.ts';
export { restoreBackup } from './restore-service.ts';
