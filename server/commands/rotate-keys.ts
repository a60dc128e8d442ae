import { resolve } from 'node:path';
import { accessTokenSeconds } from '#contract/accounts.ts';
import { systemClock } from '../platform/clock.ts';
import { rotateSigningKey } from '../platform/secrets.ts';
import { runCommand, say, UsageError } from './command.ts';

const usage = 'Usage: npm run rotate-keys   (a new signing key in DATA_DIR/secrets.json)';

await runCommand(async (config, args) => {
  if (args.length > 0) throw new UsageError(usage);
  const { kid, kept } = await rotateSigningKey(
    resolve(config.dataDir),
    systemClock.now(),
    accessTokenSeconds,
  );
  say(`Key ${kid} signs from the next start of each server on; ${kept} earlier ones still verify.`);
  say(
    'Copy secrets.json to every machine, then restart the servers one after the other. Nobody is signed out.',
  );
});
