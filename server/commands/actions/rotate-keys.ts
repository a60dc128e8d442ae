import { readConfig } from '#server/config.ts';
import { rotateSigningKey } from '#server/features/accounts/public.ts';
import { printLine } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { createShellActor } from './actor.ts';

/** Publishes a new signing key. */
export const rotateKeys = async (): Promise<void> => {
  await runWithApp(readConfig(process.env), createShellActor('signing key rotated'), async (app) => {
    const { kid, signsFrom, retiredUntil } = await rotateSigningKey(app);
    printLine(
      `Key ${kid} is published and signs from ${signsFrom.toISOString()} on, in every process, without a restart.`,
    );
    printLine(`Earlier keys verify until ${retiredUntil.toISOString()}. Nobody is signed out.`);
  });
};
