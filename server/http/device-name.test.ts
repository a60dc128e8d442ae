import { expect, test } from 'vitest';
import { getDeviceName } from './device-name.ts';

const system = '(Linux; Android 15; Pixel 9)';
const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 ${system} ${webKit} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    'Microsoft Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    `Mozilla/5.0 ${system} ${webKit} Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.1`,
    'Miui on Android',
  ],
  [`Mozilla/5.0 ${system} ${webKit} Chrome/140.0.0.0 Mobile Safari/537.36 OPT/4.2`, 'Opera Touch on Android'],
])('names the browser and the system of %s', (userAgent, name) => {
  expect(getDeviceName(userAgent)).toBe(name);
});

test.each([
  ['Your account is locked, visit evil.example/', 'Browser'],
  ['Visit evil.example/1.0 (Windows NT 10.0)', 'Browser on Windows'],
  ['Call 555-0100/1 (x)', 'Browser'],
  ['<b>Support</b>/2.0 (Macintosh; Intel Mac OS X 10_15) x', 'Browser on macOS'],
  ['constructor/1.0 (x) ', 'Browser'],
  ['', 'Browser'],
  [undefined, 'Browser'],
])('contains no text of the header %j', (userAgent, name) => {
  expect(getDeviceName(userAgent)).toBe(name);
});
