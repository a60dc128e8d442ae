/** The server of `npm run dev`, started by supervisor.ts. Like server/main.ts, but Vite renders the pages from source. */
import { runProcess } from '#server/run-process.ts';
import { startQuad } from '#server/start.ts';
import { createVitePages } from './vite-pages.ts';

await runProcess((config, say) => startQuad(config, say, async () => createVitePages()));
