import { rotateSigningKey } from '#server/features/accounts/public.ts';
import { createShellActor } from './actor.ts';
import { printLine, runCommand, UsageError } from './command.ts';
import { runWithApp } from './run-with-app.ts';

const usage = `Usage: npm run rotate-keys
Publishes a new signing key, which takes over in 15 minutes in every running process. No restart is needed.`;

await runCommand(async (config, args) => {
  if (args.length > 0) throw new UsageError(usage);
  await runWithApp(config, createShellActor('signing key rotated'), async (app) => {
    const { kid, signsFrom, retiredUntil } = await rotateSigningKey(app);
    printLine(
      `Key ${kid} is published and signs from ${signsFrom.toISOString()} on, in every process, without a restart.`,
    );
    printLine(`Earlier keys verify until ${retiredUntil.toISOString()}. Nobody is signed out.`);
  });
});
