import { expect, test } from 'vitest';
import { isOriginWelcome } from './admission.ts';

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
])('at %s a page of %s that asked %s: %s', (publicUrl, origin, host, welcome) => {
  expect(isOriginWelcome({ origin, host }, publicUrl)).toBe(welcome);
});
