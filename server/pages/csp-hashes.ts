import { createHash } from 'node:crypto';

/** The policy of a page whose own inline scripts are these; no other script of the page's text is run. */
const policyFor = (scripts: readonly string[]): string => {
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'self'",
    ["script-src 'self'", ...new Set(hashes)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    // No text becomes markup or a script but through the one policy of web/shell/trusted-types.ts.
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
};

/**
 * Turns the nonce that marks our own scripts into hashes, so that the page is the same at every rendering and can be
 * kept. Only marked scripts are hashed: one that slipped into the page some other way stays without permission.
 */
export const hashInlineScripts = (html: string, nonce: string): { html: string; policy: string } => {
  const marked = new RegExp(`<script\\b[^>]*\\snonce="${nonce}"[^>]*>(.*?)</script>`, 'gs');
  const scripts = [...html.matchAll(marked)].map(([, text = '']) => text).filter(Boolean);
  return { html: html.replaceAll(` nonce="${nonce}"`, ''), policy: policyFor(scripts) };
};
