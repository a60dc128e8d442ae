import type { FastifyInstance } from 'fastify';

const commonHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(self), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  // By default, browsers may load nothing. Pages replace this policy with their own.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Strict-Transport-Security header with a `max-age` of two years, in seconds. */
const strictTransportSecurity = 'max-age=63072000; includeSubDomains';

/** Returns the security headers of every response of a deployment with this public URL. */
export const buildSecurityHeaders = (publicUrl: string): Record<string, string> =>
  publicUrl.startsWith('https:')
    ? { ...commonHeaders, 'strict-transport-security': strictTransportSecurity }
    : commonHeaders;

/** Adds the security headers to every response, except those that the reply already has. */
export const installSecurityHeaders = (
  server: FastifyInstance,
  { publicUrl }: { publicUrl: string },
): void => {
  const headers = Object.entries(buildSecurityHeaders(publicUrl));
  server.addHook('onSend', (_request, reply, _payload, done) => {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
    done();
  });
};
