import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { getListingBook, lookUpBook } from './books.ts';
import { getCourse, suggestCourses } from './courses.ts';

/** Registers the calls that read books and courses. */
export const booksPlugin = async (server: FastifyInstance, { app }: PluginOptions): Promise<void> => {
  serveCall(server, app, calls.getBook, ({ params }) => lookUpBook(app, params.isbn));
  serveCall(server, app, calls.getListingBook, ({ params }) => getListingBook(app, params.slug));
  serveCall(server, app, calls.suggestCourses, async ({ query }) => ({
    items: await suggestCourses(app, query.q),
  }));
  serveCall(server, app, calls.getCourse, ({ params }) => getCourse(app, params.code));
};
