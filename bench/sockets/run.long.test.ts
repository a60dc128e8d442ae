import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#server/testing/database.ts';
import { runSocketBenchmark } from './run.ts';

test('in a short run all clients reconnect after a restart, and every message is delivered once', async () => {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'quad-sockets-'));
  try {
    const { quad, baseline } = await runSocketBenchmark(
      {
        ...{ databaseUrl: database.url, dataDir, sockets: 300, openSockets: 300 },
        ...{ perSecond: 30, seconds: 3, turns: 1, settleMs: 500, timeoutMs: 60_000 },
      },
      () => {},
    );
    for (const { delivered, lost, duplicated } of [quad, baseline])
      expect({ delivered, lost, duplicated }).toEqual({ delivered: 90, lost: 0, duplicated: 0 });
    // Connections may fail only while the server restarts. A running server must not reject a connection.
    const restartErrors = ['closed 1001', 'closed 1006', 'ECONNREFUSED', 'ECONNRESET', 'status 503'];
    expect(Object.keys(quad.errors).filter((what) => !restartErrors.includes(what))).toEqual([]);
    expect(quad.errors['closed 1001']).toBe(300);
    expect(quad.kilobytesEach).toBeGreaterThan(0);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
    await database.drop();
  }
}, 180_000);
