/** Runs `quad backup` for schedules that call this file, as the documentation said before version 0.11. */
import { runProgram } from './program.ts';

await runProgram(['backup', ...process.argv.slice(2)]);
