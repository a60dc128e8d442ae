import { createHash } from 'node:crypto';

/** Returns the Content-Security-Policy that allows exactly these inline scripts. */
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
    // Strings become markup or scripts only through the single policy in web/shell/trusted-types.ts.
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
};

/**
 * Replaces the nonces of our inline scripts with hashes in the policy, so that the page can be cached. Only scripts that
 * carry the nonce are hashed, so an injected one stays blocked.
 */
export const hashInlineScripts = (html: string, nonce: string): { html: string; policy: string } => {
  const marked = new RegExp(`<script\\b[^>]*\\snonce="${nonce}"[^>]*>(.*?)</script>`, 'gs');
  const scripts = [...html.matchAll(marked)].map(([, text = '']) => text).filter(Boolean);
  return { html: html.replaceAll(` nonce="${nonce}"`, ''), policy: policyFor(scripts) };
};
