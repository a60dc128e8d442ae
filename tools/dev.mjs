/** `npm run dev`: like `npm start`, and follows the files: rebuilds the pages, restarts the server. */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { runForeground } from './foreground.mjs';
import { bundledNode, root } from './setup/project.mjs';
import { setUp } from './setup.mjs';

setUp();
// A page that a browser has kept would hide what was just changed.
process.env.OFFLINE ||= 'off';
// Node restarts the server when a file it has loaded changes: its own, the contract's, or the built pages.
runForeground(['--watch', '--watch-preserve-output', join(root, 'server', 'main.ts')]);

let timer;
let rebuilding = false;
for (const folder of ['web', 'contract']) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(rebuild, 150);
  });
}

function rebuild() {
  if (rebuilding) {
    timer = setTimeout(rebuild, 150);
    return;
  }
  rebuilding = true;
  const child = spawn(bundledNode, [join(root, 'tools', 'setup.mjs')], { stdio: 'inherit' });
  child.on('exit', () => {
    rebuilding = false;
  });
}
