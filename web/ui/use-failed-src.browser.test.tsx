import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { Avatar } from './avatar.tsx';
import { Photo } from './photo.tsx';

/** A URL whose data is not a valid picture. */
const brokenUrl = 'data:image/png;base64,AAAA';

test.each([
  ['a photo', <Photo key="photo" src={brokenUrl} alt="A lamp" priority />],
  ['an avatar', <Avatar key="avatar" name="Ada" src={brokenUrl} />],
])('%s that failed to load is loaded again when the connection returns', async (_what, picture) => {
  let failures = 0;
  const countFailure = () => {
    failures += 1;
  };
  document.addEventListener('error', countFailure, { capture: true });
  await render(picture);
  await expect.poll(() => document.querySelector('img')).toBeNull();
  const before = failures;
  window.dispatchEvent(new Event('online'));
  await expect.poll(() => failures).toBe(before + 1);
  document.removeEventListener('error', countFailure, { capture: true });
});
