import { expect, test, vi } from 'vitest';
import { onToastRequest, sessionEndToastGroup, type ToastRequest, toast } from './toast.ts';

test('toasts requested before there is a listener are delivered once, in order', () => {
  const seen: ToastRequest[] = [];
  toast.success('Draft saved');
  toast.error('Too many photos', 'Maximum 5 photos allowed');
  const stop = onToastRequest((request) => seen.push(request));
  toast.message('Hello');
  expect(seen.map((request) => request.title)).toEqual(['Draft saved', 'Too many photos', 'Hello']);
  expect(seen[1]?.description).toBe('Maximum 5 photos allowed');
  stop();
  toast.success('Later');
  expect(seen).toHaveLength(3);
  onToastRequest((request) => seen.push(request))();
  expect(seen.at(-1)?.title).toBe('Later');
});

test('the end of the session is reported once, and later errors again', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const titles: string[] = [];
  const stop = onToastRequest(({ title }) => titles.push(title));
  toast.error('You were logged out', 'Log in again', undefined, sessionEndToastGroup);
  toast.error('Failed to save settings', 'Not authenticated');
  toast.success('Logged in');
  vi.advanceTimersByTime(1000);
  toast.error('Failed to save settings');
  expect(titles).toEqual(['You were logged out', 'Logged in', 'Failed to save settings']);
  stop();
  vi.useRealTimers();
});
