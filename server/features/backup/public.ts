export { makeBackup } from './backup.ts';
export { readManifest } from './manifest.ts';
export { restoreBackup } from './restore.ts';
