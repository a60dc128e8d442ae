import { randomUUID } from 'node:crypto';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from './database.ts';

/**
 * How long this process remembers when it wrote each heartbeat, in ms. Standbys that are further behind are
 * not used anyway.
 */
const memoryMs = 60_000;

/**
 * Sequence of numbers that this process writes to the primary. A standby on which a number is visible has
 * everything that was committed before that number was written, so its lag is known without comparing the
 * clocks of several machines.
 */
export interface ReplicationHeartbeat {
  /** Id of the row in which this process stores its latest number. */
  writer: string;
  /** Writes the next number. Calls made during a write share the following write. Never rejects. */
  beat(): Promise<void>;
  /**
   * Records a change that a standby must have replayed before it is used again, and writes the next number.
   */
  recordChange(): void;
  /**
   * Returns the number of the heartbeat that a standby must have replayed to contain every recorded change.
   * Returns undefined until a heartbeat has been written after the last change.
   */
  findRequiredBeat(): number | undefined;
  /** Returns the maximum lag, in ms, of a standby that has replayed the heartbeat with this number. */
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
      // The first eight digits of a write-ahead log file's name are the timeline, which a failover changes.
      const [row] = await sql<{ timeline: string }[]>`
        INSERT INTO private.replication_heartbeats AS kept (writer, beat, written_at)
        VALUES (${writer}, ${beat}, ${clock.now()})
        ON CONFLICT (writer) DO UPDATE SET beat = excluded.beat, written_at = excluded.written_at
        RETURNING left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline`;
      // Require the new number after a failover: a standby of the former primary may have an earlier number
      // together with changes that were lost.
      if (row?.timeline !== timeline || changesBefore > coveredChanges) required = beat;
      timeline = row?.timeline;
      coveredChanges = changesBefore;
    } catch {
      // The write may have failed because of a failover. Require a later heartbeat, so that standbys are used only
      // once they have replicated one.
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
