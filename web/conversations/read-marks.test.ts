import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReadMarkTracker } from './read-marks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const markReadMock = vi.fn<(seq: number) => Promise<void>>();
const listMarkedSeqs = () => markReadMock.mock.calls.map(([seq]) => seq);
const createTestTracker = (known = 0) => {
  markReadMock.mockReset();
  markReadMock.mockResolvedValue();
  return createReadMarkTracker(known, markReadMock);
};
const createSeenState = (seq: number, changes = {}) => ({ seq, foreign: seq, visible: true, ...changes });

test('marks visible messages immediately', () => {
  createTestTracker().see(createSeenState(3));
  expect(listMarkedSeqs()).toEqual([3]);
});

test.each([
  ['the page is hidden', createSeenState(3, { visible: false })],
  ['the server already considers the messages read', createSeenState(2)],
  ['all new messages are from the reader', createSeenState(5, { foreign: 2 })],
])('marks nothing while %s', (_title, what) => {
  const marks = createTestTracker(2);
  marks.see(what);
  vi.advanceTimersByTime(60_000);
  marks.leave();
  expect(listMarkedSeqs()).toEqual([]);
});

test('marks own messages as read that were marked as unread, once they are loaded', () => {
  const marks = createTestTracker(-1);
  marks.see(createSeenState(0));
  expect(listMarkedSeqs()).toEqual([]);
  marks.see(createSeenState(2, { foreign: 0 }));
  marks.see(createSeenState(3, { foreign: 0 }));
  marks.leave();
  expect(listMarkedSeqs()).toEqual([2]);
});

test('marks messages when the page becomes visible again', () => {
  const marks = createTestTracker();
  marks.see(createSeenState(3, { visible: false }));
  marks.see(createSeenState(3));
  expect(listMarkedSeqs()).toEqual([3]);
});

test('marks a flood of messages at most once a second, and finally the newest', () => {
  const marks = createTestTracker();
  for (let seq = 1; seq <= 100; seq += 1) {
    marks.see(createSeenState(seq));
    vi.advanceTimersByTime(50);
  }
  vi.advanceTimersByTime(1000);
  expect(listMarkedSeqs()).toEqual([1, 20, 40, 60, 80, 100]);
});

test('retries a failed mark after five seconds', async () => {
  const marks = createTestTracker();
  markReadMock.mockRejectedValueOnce(new Error('no connection'));
  marks.see(createSeenState(3));
  await vi.advanceTimersByTimeAsync(4999);
  expect(listMarkedSeqs()).toEqual([3]);
  await vi.advanceTimersByTimeAsync(1);
  expect(listMarkedSeqs()).toEqual([3, 3]);
});

test('marks messages seen during the one-second wait when the thread closes, and nothing afterwards', async () => {
  const marks = createTestTracker();
  marks.see(createSeenState(3));
  marks.see(createSeenState(4));
  markReadMock.mockRejectedValueOnce(new Error('no connection'));
  marks.leave();
  expect(listMarkedSeqs()).toEqual([3, 4]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(listMarkedSeqs()).toEqual([3, 4]);
});
