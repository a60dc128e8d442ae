import { runServerProcess } from './run-process.ts';

// The supervisor process does not load the server modules.
await runServerProcess(async (config, say, fail) => {
  if (config.workers === 1) return (await import('./start.ts')).startSingleProcess(config, say);
  return (await import('./workers.ts')).startWorkers(config, say, fail);
});
