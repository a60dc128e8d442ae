import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashInlineScripts } from './render.ts';

const nonce = 'bWFyaw';
const hashBase64 = (text: string) => createHash('sha256').update(text).digest('base64');
const getScriptDirective = (policy: string) =>
  policy.split('; ').find((directive) => directive.startsWith('script-src'));

test('replaces the nonce of an inline script with a hash of its exact text in the policy', () => {
  const text = 'let a = "ü" && 1;\nlet b;';
  const result = hashInlineScripts(`<script nonce="${nonce}" type="module">${text}</script>`, nonce);
  expect(getScriptDirective(result.policy)).toBe(`script-src 'self' 'sha256-${hashBase64(text)}'`);
  expect(result.html).toBe(`<script type="module">${text}</script>`);
});

test('does not allow a script without the nonce or with another one', () => {
  const html = '<p></p><script>steal()</script><script nonce="guess">steal()</script>';
  const result = hashInlineScripts(html, nonce);
  expect(result.html).toBe(html);
  expect(getScriptDirective(result.policy)).toBe("script-src 'self'");
});

test('removes the nonce from links and from scripts without text, and adds no hash', () => {
  const html = `<link rel="modulepreload" href="/a.js" nonce="${nonce}"/><script src="/a.js" nonce="${nonce}"></script>`;
  const result = hashInlineScripts(html, nonce);
  expect(result.html).toBe('<link rel="modulepreload" href="/a.js"/><script src="/a.js"></script>');
  expect(getScriptDirective(result.policy)).toBe("script-src 'self'");
});

test('lists the hash of a repeated script once', () => {
  const script = `<script nonce="${nonce}">go()</script>`;
  expect(getScriptDirective(hashInlineScripts(script + script, nonce).policy)).toBe(
    `script-src 'self' 'sha256-${hashBase64('go()')}'`,
  );
});
