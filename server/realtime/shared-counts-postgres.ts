import { randomUUID } from 'node:crypto';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { hostTimeoutMs, type SharedConnectionCounts } from './shared-counts.ts';

/**
 * Creates shared counts in PostgreSQL. Every host increments its number of renewals in the database; a host
 * is dead when this number stops changing. The clocks of the hosts are not compared, because they may differ.
 */
export const createPostgresConnectionCounts = ({
  sql,
  clock,
}: {
  sql: Sql;
  clock: Clock;
}): SharedConnectionCounts => {
  const host = randomUUID();
  const seen = new Map<string, { renewals: number; at: number }>();

  const exchange: SharedConnectionCounts['exchange'] = async (counts) => {
    const [keys, values] = [[...counts.keys()], [...counts.values()]];
    await sql`
      WITH given AS (SELECT * FROM unnest(${keys}::text[], ${values}::int[]) AS g(key, count)),
        removed AS (
          DELETE FROM private.socket_counts AS c USING given
          WHERE c.host = ${host} AND c.key = given.key AND given.count = 0)
      INSERT INTO private.socket_counts (key, host, count)
      SELECT key, ${host}, count FROM given WHERE count > 0 ORDER BY key
      ON CONFLICT (key, host) DO UPDATE SET count = excluded.count`;
    // Read the counts in a separate statement, so that it sees everything that other hosts have committed
    // until now.
    const rows = await sql<{ key: string; count: number }[]>`
      SELECT key, sum(count)::int AS count FROM private.socket_counts AS c
      WHERE key = ANY (${keys}) AND host <> ${host}
        AND EXISTS (SELECT FROM private.socket_hosts AS h WHERE h.host = c.host)
      GROUP BY key`;
    return new Map(rows.map(({ key, count }) => [key, count]));
  };

  const listDeadHosts = (hosts: { host: string; renewals: number }[]): string[] => {
    const now = clock.elapsed();
    for (const { host: each, renewals } of hosts)
      if (seen.get(each)?.renewals !== renewals) seen.set(each, { renewals, at: now });
    const present = new Set(hosts.map((it) => it.host));
    for (const each of seen.keys()) if (!present.has(each)) seen.delete(each);
    return [...seen].filter(([, { at }]) => now - at >= hostTimeoutMs).map(([each]) => each);
  };

  const remove = async (hosts: string[]): Promise<void> => {
    // Forget the last `renewals` value seen for a removed host. If the host comes back, its counter restarts at 1 and
    // may equal that value, which would make the host look dead again.
    for (const each of hosts) seen.delete(each);
    await sql`DELETE FROM private.socket_hosts WHERE host = ANY (${hosts})`;
    await sql`
      DELETE FROM private.socket_counts AS c
      WHERE NOT EXISTS (SELECT FROM private.socket_hosts AS h WHERE h.host = c.host)`;
  };

  return {
    exchange,
    renew: async () => {
      const [renewed] = await sql<{ renewals: number }[]>`
        INSERT INTO private.socket_hosts AS kept (host, renewals) VALUES (${host}, 1)
        ON CONFLICT (host) DO UPDATE SET renewals = kept.renewals + 1 RETURNING renewals`;
      const hosts = await sql<{ host: string; renewals: number }[]>`
        SELECT host, renewals FROM private.socket_hosts WHERE host <> ${host}`;
      const dead = listDeadHosts(hosts);
      if (dead.length > 0) await remove(dead);
      // The number is 1 if the host's row is new: after the host's start, after another host has removed this
      // one as dead, or after the tables were emptied.
      return renewed?.renewals !== 1;
    },
    close: async () => {
      await remove([host]);
    },
  };
};
