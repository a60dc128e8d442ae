import { expect, test } from 'vitest';
import type { PublicDataReader } from '#contract/page-rendering.ts';
import { createStubApp } from '#server/testing/stub-app.ts';
import { loadPagesBuild } from './load-build.ts';
import { createPageRenderer, respondToFailedReads } from './render.ts';

const { renderPage } = await loadPagesBuild();

const renderWithFailingReads = async (reason: Error, path: string) => {
  const errors: unknown[] = [];
  const fail = async () => {
    throw reason;
  };
  const reads: PublicDataReader = {
    findAnnouncement: fail,
    listListings: fail,
    listSimilarMatches: fail,
    listLatest: fail,
    getListing: fail,
    listSimilar: fail,
    getCourse: fail,
    getUser: fail,
    listUserReviews: fail,
  };
  const record = (details: object | string) => void errors.push((details as { err: unknown }).err);
  const app = createStubApp({ log: { info: record, warn: record, error: record } });
  const page = await createPageRenderer(app, renderPage, respondToFailedReads(app, reads))(path);
  return { ...page, errors };
};

test('returns 500 with an apology when reading fails; the reason is logged but not sent', async () => {
  const reason = new Error('relation "secret" does not exist');
  for (const path of ['/', '/category/furniture', '/listing/desk', '/search?q=desk']) {
    const { status, body, errors } = await renderWithFailingReads(reason, path);
    expect(status, path).toBe(500);
    expect(body).toContain('This page could not be shown');
    expect(body).not.toContain('secret');
    expect(body).not.toMatch(/\.tsx?:\d+|node_modules/);
    expect(errors).toContain(reason);
  }
});

test('promise 38: returns 503 and asks to retry shortly while the database is unreachable', async () => {
  const reason = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const { status, headers, body } = await renderWithFailingReads(reason, '/category/furniture');
  expect(status).toBe(503);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '2' });
  expect(body).toContain('Service unavailable, please retry shortly.');
});
