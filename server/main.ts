import { runServerProcess } from '#server/start/run-process.ts';

// The supervisor process does not load the server modules.
await runServerProcess(async (config, say, fail) => {
  if (config.workers === 1) return (await import('#server/start/start.ts')).startSingleProcess(config, say);
  return (await import('#server/start/workers.ts')).startWorkers(config, say, fail);
});
