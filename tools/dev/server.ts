/**
 * The server of `npm run dev`, started by supervisor.ts. It is like server/main.ts, except that Vite renders
 * the pages from source.
 */
import { runServerProcess } from '#server/start/run-process.ts';
import { startSingleProcess } from '#server/start/start.ts';
import { createVitePages } from './vite-pages.ts';

await runServerProcess((config, say) => startSingleProcess(config, say, async () => createVitePages()));
