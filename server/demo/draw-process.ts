// Draws in a process of its own, so that neither the image library nor its memory stays with the server.
// Started and fed by draw.ts, one picture at a time, over the IPC channel.
import sharp from 'sharp';
import type { DrawAnswer, DrawJob } from './draw.ts';
import { printPicture } from './drawings/print.ts';

// Several of these processes share the work: within one, further threads would only get in the way.
sharp.concurrency(1);
sharp.cache(false);

// The terminal's interrupt reaches the whole group; the parent decides when this process ends.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
process.on('message', async ({ index, picture }: DrawJob) => {
  const answer = await printPicture(picture).then(
    (print): DrawAnswer => ({ index, print }),
    (error): DrawAnswer => ({ index, failed: String(error) }),
  );
  process.send?.(answer);
});
