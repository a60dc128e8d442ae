import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReadMarks } from './read-marks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const mark = vi.fn<(seq: number) => Promise<void>>();
const marked = () => mark.mock.calls.map(([seq]) => seq);
const start = (known = 0) => {
  mark.mockReset();
  mark.mockResolvedValue();
  return createReadMarks(known, mark);
};
const seen = (seq: number, changes = {}) => ({ seq, foreign: seq, visible: true, ...changes });

test('marks what is visible immediately', () => {
  start().see(seen(3));
  expect(marked()).toEqual([3]);
});

test.each([
  ['nobody looks', seen(3, { visible: false })],
  ['the server knows it', seen(2)],
  ['the new messages are their own', seen(5, { foreign: 2 })],
])('marks nothing while %s', (_title, what) => {
  const marks = start(2);
  marks.see(what);
  vi.advanceTimersByTime(60_000);
  marks.leave();
  expect(marked()).toEqual([]);
});

test('marks when the person looks again', () => {
  const marks = start();
  marks.see(seen(3, { visible: false }));
  marks.see(seen(3));
  expect(marked()).toEqual([3]);
});

test('marks a flood of messages once a second, the newest last', () => {
  const marks = start();
  for (let seq = 1; seq <= 100; seq += 1) {
    marks.see(seen(seq));
    vi.advanceTimersByTime(50);
  }
  vi.advanceTimersByTime(1000);
  expect(marked()).toEqual([1, 20, 40, 60, 80, 100]);
});

test('retries a failed mark after five seconds', async () => {
  const marks = start();
  mark.mockRejectedValueOnce(new Error('no connection'));
  marks.see(seen(3));
  await vi.advanceTimersByTimeAsync(4999);
  expect(marked()).toEqual([3]);
  await vi.advanceTimersByTimeAsync(1);
  expect(marked()).toEqual([3, 3]);
});

test('marks what was seen within the rest when the thread is left, and nothing afterwards', async () => {
  const marks = start();
  marks.see(seen(3));
  marks.see(seen(4));
  mark.mockRejectedValueOnce(new Error('no connection'));
  marks.leave();
  expect(marked()).toEqual([3, 4]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(marked()).toEqual([3, 4]);
});
