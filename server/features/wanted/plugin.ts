import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import {
  answerWantedPost,
  countPeopleForDraft,
  countPeopleToTell,
  listListingsToAnswerWith,
  tellPeople,
} from './matching.ts';
import {
  changeWantedPost,
  closeWantedPost,
  createWantedPost,
  listOwnWantedPosts,
  listWantedPosts,
} from './wanted-posts.ts';

/** Registers the calls about what people look for. */
export const wantedPlugin = async (server: FastifyInstance, { app }: PluginOptions): Promise<void> => {
  serveCall(server, app, calls.listWantedPosts, ({ session, query }) =>
    listWantedPosts(app, session?.userId, query),
  );
  serveCall(server, app, calls.listMyWantedPosts, async ({ session }) => ({
    items: await listOwnWantedPosts(app, session.userId),
  }));
  serveCall(server, app, calls.createWantedPost, ({ session, body }) =>
    createWantedPost(app, session.userId, body),
  );
  serveCall(server, app, calls.changeWantedPost, ({ session, params, body }) =>
    changeWantedPost(app, session.userId, params.id, body),
  );
  serveCall(server, app, calls.closeWantedPost, ({ session, params }) =>
    closeWantedPost(app, session.userId, params.id),
  );
  serveCall(server, app, calls.countWantedMatches, async ({ session, body }) => ({
    people: await countPeopleForDraft(app, session.userId, body),
  }));
  serveCall(server, app, calls.countPeopleToTell, async ({ session, params }) => ({
    people: await countPeopleToTell(app, session.userId, params.id),
  }));
  serveCall(server, app, calls.tellPeople, async ({ session, params }) => ({
    people: await tellPeople(app, session.userId, params.id),
  }));
  serveCall(server, app, calls.listListingsToAnswerWith, async ({ session, params }) => ({
    items: await listListingsToAnswerWith(app, session.userId, params.id),
  }));
  serveCall(server, app, calls.answerWantedPost, async ({ session, params, body }) => ({
    conversation_id: await answerWantedPost(app, session.userId, params.id, body),
  }));
};
