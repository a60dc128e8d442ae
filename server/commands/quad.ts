/** The program `quad`: `node server/commands/quad.ts <command> ...`, as `tools/quad.mjs` and `ops/quad-command` run it. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiled modules are kept in NODE_COMPILE_CACHE or, where it may be written, beside the packages. It must be enabled
// before they are loaded.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/quad-compiled', import.meta.url)));
const { runProgram } = await import('./program.ts');
await runProgram(process.argv.slice(2));
