/**
 * Keeps the embedded database running and restarts the server when its sources change. Started by
 * tools/dev.mjs. The server runs in a child process, so that it can be restarted even after a source file had
 * a syntax error.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#server/config.ts';
import { startEmbeddedDatabase } from '#server/platform/postgres/embedded-database.ts';
import { openLog } from '#server/platform/process/log.ts';
import { runServerProcess } from '#server/start/run-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const watchedFolders = ['server', 'contract', 'tools/dev'];
const watchedFiles = ['vite.config.ts', 'react-router.config.ts'];
/**
 * Time to wait for further changes before a restart, because editors write a file in several steps
 * and formatters write several files.
 */
const debounceMs = 100;

const openDatabase = async (config: Config) =>
  config.databaseUrl === undefined
    ? startEmbeddedDatabase({
        dataDir: resolve(config.dataDir),
        bin: config.postgresBin,
        log: openLog(config),
      })
    : { url: config.databaseUrl, stop: async () => {} };

/** Calls `onChange` once per burst of changes to the server's source files. Returns a function that stops watching. */
const watchSources = (onChange: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const scheduleCallback = () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, debounceMs);
  };
  const watchers = watchedFolders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (!name?.includes('.test.')) scheduleCallback();
    }),
  );
  watchers.push(
    watch(root, (_event, name) => {
      if (name && watchedFiles.includes(name)) scheduleCallback();
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
};

await runServerProcess(async (config, say) => {
  const database = await openDatabase(config);
  let child: ChildProcess | undefined;
  let stopping = false;

  const startServer = () => {
    const started = spawn(process.execPath, [fileURLToPath(new URL('server.ts', import.meta.url))], {
      env: {
        ...process.env,
        QUAD_DATABASE_URL: database.url,
        QUAD_DEMO: config.demo ? 'on' : 'off',
        NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    started.once('exit', () => {
      if (child !== started) return;
      child = undefined;
      say('The server ended. It starts again when a file of it changes.');
    });
    child = started;
  };

  const stopServer = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.kill('SIGTERM');
    await once(ending, 'exit');
  };

  let restarts = Promise.resolve();
  const stopWatching = watchSources(() => {
    restarts = restarts.then(async () => {
      if (stopping) return;
      say('Restarting the server ...');
      await stopServer();
      startServer();
    });
  });
  startServer();

  return {
    stop: async () => {
      stopping = true;
      stopWatching();
      await restarts;
      await stopServer();
      await database.stop();
    },
  };
});
