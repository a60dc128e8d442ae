import type { FastifyInstance } from 'fastify';
import type { App } from '#server/app.ts';

/** RFC 9116 asks for less than a year, so that a forgotten file does not mislead for long. */
const validityMs = 180 * 86_400_000;

/** Serves /.well-known/security.txt, which tells finders of a weakness whom to write to (RFC 9116). */
export const registerSecurityTxtRoute = (
  server: FastifyInstance,
  { config: { publicUrl, campus }, clock }: App,
): void => {
  server.get('/.well-known/security.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        [
          `Contact: mailto:${encodeURI(campus.supportEmail)}`,
          `Expires: ${new Date(clock.now().getTime() + validityMs).toISOString()}`,
          'Preferred-Languages: en',
          `Canonical: ${publicUrl}/.well-known/security.txt`,
          '',
        ].join('\n'),
      ),
  );
};
