import { resolve } from 'node:path';
import { createStanding } from '../accounts/standing-service.ts';
import { type Actor, createAudit } from '../audit/service.ts';
import type { Config } from '../config.ts';
import { createHiding } from '../listings/hiding-service.ts';
import { openAccountDeletion } from '../open-account-deletion.ts';
import { openBus } from '../open-bus.ts';
import { createPageNews } from '../pages/page-news.ts';
import { systemClock } from '../platform/clock.ts';
import type { Sql } from '../platform/database.ts';
import { silentLog } from '../platform/log.ts';
import { assertCurrentSchema } from '../platform/migrations.ts';
import { loadSecrets } from '../platform/secrets.ts';
import { reachDatabase } from './command.ts';

/**
 * Opens the services that commands call, on the database and the bus of the running servers. `actor` is the person who
 * changes something; undefined for commands that only read.
 */
export const withServices = async (
  config: Config,
  actor: Actor | undefined,
  work: (services: {
    sql: Sql;
    deletion: ReturnType<typeof openAccountDeletion>;
    audit: ReturnType<typeof createAudit>;
    standing: ReturnType<typeof createStanding>;
    hiding: ReturnType<typeof createHiding>;
  }) => Promise<void>,
): Promise<void> => {
  const { url: databaseUrl, sql, close } = await reachDatabase(config);
  try {
    await assertCurrentSchema(sql);
    const { pepper } = await loadSecrets(resolve(config.dataDir));
    const bus = await openBus(config, sql, silentLog, { alone: false });
    const base = { sql, clock: systemClock, news: createPageNews(bus) };
    const audit = createAudit({ ...base, pepper, actor });
    const hiding = createHiding({ ...base, audit });
    const standing = createStanding({ ...base, bus, hiding, audit });
    const deletion = openAccountDeletion({ ...base, databaseUrl, bus, audit });
    try {
      await work({ sql, audit, hiding, standing, deletion });
    } finally {
      await deletion.close();
      // Waits for what is announced to have left.
      await bus.close();
    }
  } finally {
    await close();
  }
};
