import { runProcess } from './run-process.ts';

// The supervisor process does not load the server modules.
await runProcess(async (config, say, fail) => {
  if (config.workers === 1) return (await import('./start.ts')).startQuad(config, say);
  return (await import('./workers.ts')).startWorkers(config, say, fail);
});
