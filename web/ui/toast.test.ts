import { expect, test } from 'vitest';
import { onToastRequest, type ToastRequest, toast } from './toast.ts';

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
