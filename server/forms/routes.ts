import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { calls } from '#contract/calls.ts';
import { Problem, problem } from '#contract/errors.ts';
import { resumeBytes } from '#contract/form-choices.ts';
import { applicationPath, applicationSchema } from '#contract/forms.ts';
import { guard, type HttpDeps, parseBody, serve } from '#server/http/serve.ts';
import type { ReceivedResume } from './resumes.ts';
import type { Forms } from './service.ts';

const done = { success: true } as const;

/** One file and a few short fields; a file one byte too long is cut there, and known by it. */
const limits = { fileSize: resumeBytes + 1, files: 1, fields: 10, fieldSize: 1000, parts: 11 };

/** Applications come as multipart, because a file may come with them. */
const applicationRoute = async (app: FastifyInstance, http: HttpDeps, forms: Forms): Promise<void> => {
  const readParts = async (request: FastifyRequest, takeResume: (resume: ReceivedResume) => void) => {
    const fields: Record<string, unknown> = {};
    const signal = AbortSignal.timeout(forms.timeouts.total);
    try {
      for await (const part of request.parts({ limits })) {
        if (part.type === 'field') fields[part.fieldname] = part.value;
        else takeResume(await forms.receiveResume({ filename: part.filename, content: part.file, signal }));
      }
    } catch (error) {
      // Whatever else is wrong with such a body is its sender's doing; a trouble of the disk is ours.
      if (error instanceof Problem || (error instanceof Error && 'syscall' in error)) throw error;
      throw problem('malformed_request');
    }
    return fields;
  };

  const apply = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!request.isMultipart()) throw problem('unsupported_media_type');
    let resume: ReceivedResume | undefined;
    try {
      const fields = await readParts(request, (received) => {
        resume = received;
      });
      const application = parseBody(applicationSchema(http.campus), fields);
      await forms.apply(application, resume, request.session?.userId);
      return reply.header('cache-control', 'no-store').send(done);
    } finally {
      if (resume) await forms.discardResume(resume);
    }
  };

  await app.register(async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    scope.post(applicationPath, { onRequest: guard(http, { access: 'either', limit: 'form' }) }, apply);
    // A body that is refused before its end would otherwise be read on and on before the connection is free again.
    scope.addHook('onSend', async (request, reply) => {
      if (reply.statusCode >= 400 && !request.raw.complete) reply.header('connection', 'close');
    });
  });
};

/** The forms of the static pages; nobody needs to be signed in for them. */
export const formRoutes = async (app: FastifyInstance, http: HttpDeps, forms: Forms): Promise<void> => {
  serve(app, http, calls.sendReport, async ({ body, session }) => {
    await forms.report(body, session?.userId);
    return done;
  });
  serve(app, http, calls.sendContact, async ({ body, session }) => {
    await forms.contact(body, session?.userId);
    return done;
  });
  serve(app, http, calls.requestDataDeletion, async ({ body, session }) => {
    await forms.requestDeletion(body, session?.userId);
    return done;
  });
  await applicationRoute(app, http, forms);
};
