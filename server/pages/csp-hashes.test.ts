import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashInlineScripts } from './csp-hashes.ts';

const nonce = 'bWFyaw';
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
const scriptsOf = (policy: string) =>
  policy.split('; ').find((directive) => directive.startsWith('script-src'));

test('a marked inline script is named by the hash of its exact text, and its mark is taken off', () => {
  const text = 'let a = "ü" && 1;\nlet b;';
  const sealed = hashInlineScripts(`<script nonce="${nonce}" type="module">${text}</script>`, nonce);
  expect(scriptsOf(sealed.policy)).toBe(`script-src 'self' 'sha256-${hashOf(text)}'`);
  expect(sealed.html).toBe(`<script type="module">${text}</script>`);
});

test('a script without the mark, or with another, is not named', () => {
  const html = '<p></p><script>steal()</script><script nonce="guess">steal()</script>';
  const sealed = hashInlineScripts(html, nonce);
  expect(sealed.html).toBe(html);
  expect(scriptsOf(sealed.policy)).toBe("script-src 'self'");
});

test('fetched scripts, links and empty scripts lose the mark and need no hash', () => {
  const html = `<link rel="modulepreload" href="/a.js" nonce="${nonce}"/><script src="/a.js" nonce="${nonce}"></script>`;
  const sealed = hashInlineScripts(html, nonce);
  expect(sealed.html).toBe('<link rel="modulepreload" href="/a.js"/><script src="/a.js"></script>');
  expect(scriptsOf(sealed.policy)).toBe("script-src 'self'");
});

test('the same script twice is named once', () => {
  const script = `<script nonce="${nonce}">go()</script>`;
  expect(scriptsOf(hashInlineScripts(script + script, nonce).policy)).toBe(
    `script-src 'self' 'sha256-${hashOf('go()')}'`,
  );
});
