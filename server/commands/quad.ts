/** The program `quad`: `node server/commands/quad.ts <command> ...`, as `tools/quad.mjs` and `ops/quad-command` run it. */
import { runProgram } from './program.ts';

await runProgram(process.argv.slice(2));
