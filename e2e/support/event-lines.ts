import { connectToDatabase } from '#server/commands/command.ts';
import { readConfig } from '#server/config.ts';
import { openBus } from '#server/open-bus.ts';
import { systemClock } from '#server/platform/clock.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { appendEventLine } from '#server/testing/event-lines.ts';
import type { QuadServer } from './quad-server.ts';

/**
 * Stores event lines in a conversation, in order, and publishes them. Does so in this process, not on the
 * server.
 */
export const appendEventLines = async (
  { dataDir }: QuadServer,
  lines: readonly Parameters<typeof appendEventLine>[1][],
): Promise<void> => {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir });
  const { sql, close } = await connectToDatabase(config);
  const bus = await openBus(config, sql, silentLog, { alone: false });
  try {
    for (const line of lines) await appendEventLine({ sql, clock: systemClock, mails: [] }, line, bus);
  } finally {
    await bus.close();
    await close();
  }
};
