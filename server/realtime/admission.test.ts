import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startTestApp } from '#server/testing/app.ts';
import { createWebSocketUrl, getListeningPort, requestUpgrade } from '#server/testing/raw-socket.ts';
import { isOriginAllowed } from './admission.ts';

test.each([
  ['https://quad.usc.edu', 'https://quad.usc.edu', 'quad.usc.edu', true],
  ['https://quad.usc.edu', undefined, 'quad.usc.edu', true],
  ['https://quad.usc.edu', 'http://quad.usc.edu', 'quad.usc.edu', false],
  ['https://quad.usc.edu', 'https://quad.usc.edu.evil.example', 'quad.usc.edu', false],
  ['https://quad.usc.edu', 'https://evil.example', 'evil.example', false],
  ['https://quad.usc.edu', 'null', 'quad.usc.edu', false],
  ['http://localhost:3000', 'http://localhost:3000', 'localhost:3000', true],
  ['http://localhost:3000', 'http://192.168.1.7:3000', '192.168.1.7:3000', true],
  ['http://localhost:3000', 'http://evil.example', 'localhost:3000', false],
  ['http://localhost:3000', 'null', 'localhost:3000', false],
  ['http://localhost:3000', 'nonsense', 'nonsense', false],
])(
  'with the server at %s, a socket from origin %s to host %s is allowed: %s',
  (publicUrl, origin, host, isAllowed) => {
    expect(isOriginAllowed({ origin, host }, publicUrl)).toBe(isAllowed);
  },
);

test('promise 35: a refused origin is logged together with the expected origin', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const testApp = await startTestApp({ replace: { logger: pino({ level: 'info' }, stream) } });
  await testApp.server.listen({ port: 0, host: '127.0.0.1' });
  const url = createWebSocketUrl(getListeningPort(testApp.server.server));
  expect(await requestUpgrade(url, 'https://evil.example')).toBe(403);
  expect(await requestUpgrade(url, `https://${'a'.repeat(5000)}.example`)).toBe(403);
  await testApp.close();
  const refused = lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'socket refused: foreign origin');
  expect(refused).toMatchObject([
    { level: 40, origin: 'https://evil.example', expected: 'http://quad.test' },
    { level: 40, expected: 'http://quad.test' },
  ]);
  expect(refused[1].origin.length).toBe(200);
});
