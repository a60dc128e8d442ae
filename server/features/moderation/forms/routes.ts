import type { FastifyInstance } from 'fastify';
import { consoleCalls, resumeDownloadPath } from '#contract/console-calls.ts';
import { createProblem } from '#contract/errors.ts';
import { idSchema } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import {
  getFormWithReplies,
  listForms,
  openResume,
  replyToForm,
  setFormState,
} from '#server/features/forms/public.ts';
import { createCallGuard, serveCall } from '#server/http/serve.ts';

/** Registers the route that downloads a form's resume. It is not a declared call, because its response is not JSON. */
const registerResumeRoute = (server: FastifyInstance, app: App): void => {
  server.get<{ Params: { id: string } }>(
    resumeDownloadPath.replace('{id}', ':id'),
    { onRequest: createCallGuard(app, { access: 'administrator', limit: 'console' }) },
    async ({ params }, reply) => {
      const { data: id } = idSchema.safeParse(params.id);
      if (id === undefined) throw createProblem('not_found');
      const resume = await openResume(app, id);
      // The sender chose the file's name and content, so the browser gets a name that the server chose, and a content
      // type that makes it save the file instead of displaying it.
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${resume.name}"`)
        .type('application/octet-stream')
        .send(resume.content);
    },
  );
};

/** Registers the calls with which administrators read and answer submitted forms. */
export const registerSubmittedFormRoutes = (server: FastifyInstance, app: App): void => {
  serveCall(server, app, consoleCalls.listForms, ({ query }) => listForms(app, query));
  serveCall(server, app, consoleCalls.getForm, ({ params }) => getFormWithReplies(app, params.id));
  serveCall(server, app, consoleCalls.changeForm, ({ params, body, session }) =>
    setFormState(app, params.id, { done: body.done, by: session.userId }),
  );
  serveCall(server, app, consoleCalls.answerForm, ({ params, body, session }) =>
    replyToForm(app, params.id, body, { userId: session.userId }),
  );
  registerResumeRoute(server, app);
};
