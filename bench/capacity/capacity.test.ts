import { expect, test } from 'vitest';
import { reconnectDelaysSeconds } from '#contract/realtime.ts';
import { defaultAssumptions } from './assumptions.ts';
import { estimateCapacity, estimateReconnectRate } from './load.ts';
import { simulateReconnectStorm } from './reconnect-storm.ts';

test('estimates request rates, processor load and hosts for 50,000 students from the assumptions', () => {
  const estimate = estimateCapacity(50_000, {
    ...defaultAssumptions,
    onlineShare: 0.2,
    pagesPerHour: 36,
    renderedShare: 0.5,
    cachedPageUs: 100,
    renderedPageUs: 900,
    readsPerHour: 0,
    inboxesPerHour: 0,
    messagesPerHour: 36,
    messageUs: 1_000,
    transitionsPerHour: 0,
    databaseReadUs: 1_000,
    databaseMessageUs: 500,
    replicationShare: 0.5,
  });
  // 10,000 people are online; together they request 100 pages and send 100 messages per second.
  expect(estimate.pagesPerSecond).toBeCloseTo(100);
  expect(estimate.processCores).toBeCloseTo(50 * 100e-6 + 50 * 900e-6 + 100 * 1000e-6);
  expect(estimate.databaseCores).toBeCloseTo((50 * 1000e-6 + 100 * 500e-6) * 1.5);
  expect(estimate.sockets).toBe(10_000);
  expect(estimate.hosts).toBe(2);
});

test('the number of hosts is the maximum of what processor load and sockets require', () => {
  const assumed = { ...defaultAssumptions, coresPerHost: 4, utilization: 0.5, spareHosts: 1 };
  const { processCores, hosts } = estimateCapacity(5_000_000, { ...assumed, socketsPerPerson: 0 });
  expect(hosts).toBe(Math.ceil(processCores / 2) + 1);
  // There are 1,000,000 sockets, and each process has up to 10,000 of them.
  expect(estimateCapacity(5_000_000, { ...assumed, messageUs: 0, readUs: 0, renderedShare: 0 }).hosts).toBe(
    26,
  );
});

test('reconnecting is limited by the application hosts or by the primary, whichever is exhausted first', () => {
  const assumed = {
    ...defaultAssumptions,
    coresPerHost: 1,
    reconnectUs: 1_000,
    databaseHostCores: 2,
    databaseReconnectUs: 500,
  };
  const idle = { ...estimateCapacity(0, assumed), processCores: 0, databaseCores: 0 };
  expect(estimateReconnectRate(idle, 3, assumed)).toBeCloseTo(3_000);
  expect(estimateReconnectRate(idle, 10, assumed)).toBeCloseTo(4_000);
  expect(estimateReconnectRate({ ...idle, databaseCores: 5 }, 10, assumed)).toBe(0);
});

test('the assumed reconnect delays equal those of the client', () => {
  expect(defaultAssumptions.reconnectDelays).toEqual(reconnectDelaysSeconds);
});

test('with enough capacity every client reconnects after its first delay', () => {
  const storm = simulateReconnectStorm({ clients: 10_000, attemptsPerSecond: 1_000_000 }, defaultAssumptions);
  expect(storm.allBackSeconds).toBeGreaterThan(1);
  expect(storm.allBackSeconds).toBeLessThanOrEqual(1.25);
  expect(storm.wastedAttempts).toBe(0);
});

test('no reconnect attempt is wasted while the queue is shorter than the timeout of clients', () => {
  const storm = simulateReconnectStorm({ clients: 10_000, attemptsPerSecond: 2_000 }, defaultAssumptions);
  expect(storm.allBackSeconds).toBeCloseTo(6, 0);
  expect(storm.halfBackSeconds).toBeCloseTo(3.5, 0);
  expect(storm.wastedAttempts).toBe(0);
});

test('clients that time out and retry make the reconnect storm longer', () => {
  const attemptsPerSecond = 500;
  const storm = simulateReconnectStorm({ clients: 10_000, attemptsPerSecond }, defaultAssumptions);
  expect(storm.wastedAttempts).toBeGreaterThan(0);
  expect(storm.allBackSeconds).toBeGreaterThan(10_000 / attemptsPerSecond + 1);
  expect(storm.allBackSeconds).toBeCloseTo((10_000 + storm.wastedAttempts) / attemptsPerSecond + 1, -1);
  const slowToGiveUp = { ...defaultAssumptions, joinTimeout: 60 };
  const calm = simulateReconnectStorm({ clients: 10_000, attemptsPerSecond }, slowToGiveUp);
  expect(calm.wastedAttempts).toBe(0);
  expect(calm.allBackSeconds).toBeLessThan(storm.allBackSeconds);
});

test('more capacity never makes a reconnect storm longer', () => {
  const times = [200, 400, 800, 1_600, 3_200].map(
    (attemptsPerSecond) =>
      simulateReconnectStorm({ clients: 5_000, attemptsPerSecond }, defaultAssumptions).allBackSeconds,
  );
  expect(times).toEqual(times.toSorted((one, other) => other - one));
});
