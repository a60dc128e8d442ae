import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { calls } from '#contract/calls.ts';
import { createProblem, Problem } from '#contract/errors.ts';
import { maxResumeBytes } from '#contract/form-choices.ts';
import { createJobApplicationSchema, jobApplicationPath, withClientId } from '#contract/forms.ts';
import type { App } from '#server/app.ts';
import {
  createCallGuard,
  type PluginOptions,
  parseRequestPart,
  recheckSession,
  serveCall,
} from '#server/http/serve.ts';
import { declareQueueJob, declareScheduledJob } from '#server/platform/jobs.ts';
import {
  deleteResumeFiles,
  deleteUnreferencedResumes,
  resumeFileRemovalQueue,
} from './resume-file-removal.ts';
import { discardResume, type ReceivedResume, receiveResume, resumeUploadTimeouts } from './resumes.ts';
import {
  submitApplication,
  submitConcernReport,
  submitContactForm,
  submitDeletionRequest,
} from './submissions.ts';

const successBody = { success: true } as const;

/**
 * Limits of the multipart body: one file and a few short fields. `fileSize` is one byte above the
 * maximum size of a resume, so that a file that is too large can be distinguished from one of
 * exactly the maximum size.
 */
const multipartLimits = { fileSize: maxResumeBytes + 1, files: 1, fields: 10, fieldSize: 1000, parts: 11 };

/** Registers the route for applications, whose bodies are multipart because they may include a file. */
const registerApplicationRoute = async (server: FastifyInstance, app: App): Promise<void> => {
  const readParts = async (request: FastifyRequest, takeResume: (resume: ReceivedResume) => void) => {
    const fields: Record<string, unknown> = {};
    const signal = AbortSignal.timeout(resumeUploadTimeouts.total);
    try {
      for await (const part of request.parts({ limits: multipartLimits })) {
        if (part.type === 'field') fields[part.fieldname] = part.value;
        else takeResume(await receiveResume(app, { filename: part.filename, content: part.file, signal }));
      }
    } catch (error) {
      // Disk errors are server errors; any other error while reading the body is a client error.
      if (error instanceof Problem || (error instanceof Error && 'syscall' in error)) throw error;
      throw createProblem('malformed_request');
    }
    return fields;
  };

  const apply = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!request.isMultipart()) throw createProblem('unsupported_media_type');
    let resume: ReceivedResume | undefined;
    try {
      const fields = await readParts(request, (received) => {
        resume = received;
      });
      await recheckSession(app, 'either', request);
      const application = parseRequestPart(
        withClientId(createJobApplicationSchema(app.config.campus)),
        fields,
      );
      await submitApplication(app, application, { resume, sender: request.session?.userId });
    } finally {
      if (resume) await discardResume(resume);
    }
    return reply.header('cache-control', 'no-store').send(successBody);
  };

  await server.register(async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    scope.post(
      jobApplicationPath,
      { onRequest: createCallGuard(app, { access: 'either', limit: 'form' }) },
      apply,
    );
  });
};

/**
 * Registers the routes of the report, contact, data deletion and application forms, which need no
 * session.
 */
export const formsPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  server.addHook('onClose', async () => app.resumeChecker.close());
  addJobs(
    declareQueueJob(resumeFileRemovalQueue, ({ keys }) => deleteResumeFiles(app, keys)),
    declareScheduledJob('remove-resume-orphans', '47 9 * * *', () => deleteUnreferencedResumes(app)),
  );
  serveCall(server, app, calls.sendReport, async ({ body, session }) => {
    await submitConcernReport(app, body, session?.userId);
    return successBody;
  });
  serveCall(server, app, calls.sendContact, async ({ body, session }) => {
    await submitContactForm(app, body, session?.userId);
    return successBody;
  });
  serveCall(server, app, calls.requestDataDeletion, async ({ body, session }) => {
    await submitDeletionRequest(app, body, session?.userId);
    return successBody;
  });
  await registerApplicationRoute(server, app);
};
