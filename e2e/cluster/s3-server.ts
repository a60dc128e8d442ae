/**
 * The S3 server of a cluster: `node s3-server.ts <folder>` listens on port 9000 of all addresses. Other tests
 * use the same implementation.
 */
import { startS3Store } from '#server/testing/s3-store.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('s3-server.ts needs a folder');
await startS3Store(folder, 'ignored', { host: '0.0.0.0', port: 9000 });
