/** `npm run check`: installs what is missing, then runs all static checks of the code and its dependencies. */
import { spawn } from 'node:child_process';
import { bundledNodePath, createProjectEnvironment, projectRoot } from './setup/project.mjs';
import { setUpCheckout } from './setup.mjs';

await setUpCheckout({ pages: false });

const checks = [
  { name: 'dependencies', commands: [[bundledNodePath, 'tools/dependencies.mjs']] },
  { name: 'format and lint', commands: [['biome', 'ci', '--colors=off', '--error-on-warnings', '.']] },
  {
    name: 'types',
    commands: [
      ['react-router', 'typegen'],
      ['tsc', '--noEmit'],
    ],
  },
  {
    name: 'boundaries and cycles',
    commands: [['depcruise', '--config', '.dependency-cruiser.mjs', ...listSourceFolders()]],
  },
  { name: 'unused code', commands: [['knip']] },
  { name: 'weight of public pages', commands: [[bundledNodePath, 'tools/page-weight.mjs']] },
  { name: 'plain language', commands: [[bundledNodePath, 'tools/plain-language.mjs']] },
  { name: 'regular expressions', commands: [[bundledNodePath, 'tools/regular-expressions.mjs']] },
  { name: 'container files', commands: [[bundledNodePath, 'tools/container-files.mjs']] },
  { name: 'generated files', commands: [[bundledNodePath, 'tools/generate.mjs', '--check']] },
];

let failedCheckCount = 0;
// Run two checks at a time; more checks would only compete for the same processor cores.
const pendingChecks = [...checks];
await Promise.all(
  [1, 2].map(async () => {
    for (let check = pendingChecks.shift(); check; check = pendingChecks.shift()) await runCheck(check);
  }),
);
process.stdout.write(
  failedCheckCount === 0
    ? `\n${checks.length} checks passed\n`
    : `\n${failedCheckCount} of ${checks.length} checks failed\n`,
);
process.exitCode = failedCheckCount === 0 ? 0 : 1;

async function runCheck(check) {
  const begun = performance.now();
  let notes = '';
  for (const command of check.commands) {
    const { status, output } = await runCommand(command);
    for (const [line] of output.matchAll(/^note: .*$/gm)) notes += `  ${line}\n`;
    if (status === 0) continue;
    failedCheckCount += 1;
    process.stdout.write(`✗ ${check.name}: ${command.join(' ')}\n${output}\n`);
    return;
  }
  process.stdout.write(`✓ ${check.name} (${((performance.now() - begun) / 1000).toFixed(1)} s)\n${notes}`);
}

function runCommand([program, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: projectRoot,
      env: createProjectEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ status: 1, output: error.message }));
    child.on('close', (status) => resolve({ status, output }));
  });
}

function listSourceFolders() {
  return ['contract', 'server', 'web', 'tools', 'e2e', 'bench'];
}
