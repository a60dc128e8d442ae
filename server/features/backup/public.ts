/** Public API of backups for the rest of the server. */
export { makeBackup } from './backup.ts';
export { readManifest } from './manifest.ts';
export { restoreBackup } from './restore.ts';
