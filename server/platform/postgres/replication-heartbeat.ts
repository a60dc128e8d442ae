import { randomUUID } from 'node:crypto';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from './database.ts';

/** How long the times of beats are remembered, in ms; standbys that are further behind are not used anyway. */
const memoryMs = 60_000;

/**
 * Numbers that this process writes to the primary. A standby that shows a number has everything that was committed
 * before that number was written, so its lag is known without comparing the clocks of several machines.
 */
export interface ReplicationHeartbeat {
  /** Id of this process in the table. */
  writer: string;
  /** Writes the next number. Calls during a write share the next one. Never rejects. */
  beat(): Promise<void>;
  /** Records a change that standbys must have before they are used again, and writes the next number. */
  recordChange(): void;
  /**
   * Returns the number that a standby must show to have every recorded change; undefined while it is not known, that is
   * until a number was written after the last change.
   */
  findRequiredBeat(): number | undefined;
  /** Returns how many ms ago a standby that shows this number was surely up to date. */
  getLagMs(beat: number): number;
}

/** Creates the heartbeat of this process, which is written by calling `beat` regularly. */
export const createReplicationHeartbeat = ({
  sql,
  clock,
}: {
  sql: Sql;
  clock: Clock;
}): ReplicationHeartbeat => {
  const writer = randomUUID();
  const sentAt = new Map<number, number>();
  let lastBeat = 0;
  let required: number | undefined;
  let timeline: string | undefined;
  let changes = 1;
  let coveredChanges = 0;
  let writing: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    lastBeat += 1;
    const beat = lastBeat;
    const changesBefore = changes;
    const startedAt = clock.elapsed();
    sentAt.set(beat, startedAt);
    for (const [old, at] of sentAt) if (startedAt - at > memoryMs) sentAt.delete(old);
    try {
      // The first eight digits of the name of a write-ahead log file are the timeline, which a failover changes.
      const [row] = await sql<{ timeline: string }[]>`
        INSERT INTO private.replication_heartbeats AS kept (writer, beat, written_at)
        VALUES (${writer}, ${beat}, ${clock.now()})
        ON CONFLICT (writer) DO UPDATE SET beat = excluded.beat, written_at = excluded.written_at
        RETURNING left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline`;
      // After a failover a standby of the former primary may show an earlier number, with changes that were lost.
      if (row?.timeline !== timeline || changesBefore > coveredChanges) required = beat;
      timeline = row?.timeline;
      coveredChanges = changesBefore;
    } catch {
      // There may be a failover. The next number must have been seen.
      changes += 1;
    }
  };

  const beat = async (): Promise<void> => {
    if (writing) {
      next ??= writing.then(() => {
        next = undefined;
        return beat();
      });
      return next;
    }
    writing = write().finally(() => {
      writing = undefined;
    });
    return writing;
  };

  return {
    writer,
    beat,
    recordChange: () => {
      changes += 1;
      void beat();
    },
    findRequiredBeat: () => (coveredChanges === changes ? required : undefined),
    getLagMs: (seen) => {
      const at = sentAt.get(seen);
      return at === undefined ? Number.POSITIVE_INFINITY : clock.elapsed() - at;
    },
  };
};
