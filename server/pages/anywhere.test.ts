import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { categories } from '#contract/categories.ts';
import { findForeignForms } from '#contract/testing.ts';
import { seedDemoCampus } from '#server/demo/seed.ts';
import { createDiskFileStore } from '#server/platform/files/files.ts';
import { startTestApp } from '#server/testing/app.ts';
import { passThroughImageProcessor } from '#server/testing/unprocessed-images.ts';
import { loadPagesBuild } from './load-build.ts';

/** Returns what people read and hear of a page: its texts, and the attributes that are read out or shown. */
const extractTexts = (html: string): string => {
  const markup = html.replace(/<(script|style|svg)\b[\s\S]*?<\/\1>/g, '');
  const attributes = [...markup.matchAll(/ (?:aria-label|title|placeholder|alt|value)="([^"]*)"/g)];
  const texts = [markup.replace(/<[^>]*>/g, '\n'), ...attributes.map(([, text = '']) => text)];
  return texts
    .join('\n')
    .replace(/&#x27;/g, "'")
    .replace(/[\u00a0\u202f]/g, ' ');
};

test.each([
  ['germany', 'de-DE', /\d €/],
  ['japan', 'ja-JP', /[￥¥]\d{1,3},\d{3}/],
] as const)(
  'promise 113: no public page of the demo campus of %s contains a form of another locale than %s',
  async (name, locale, price) => {
    const testApp = await startTestApp({
      environment: { QUAD_CAMPUS: `demo/campuses/${name}.json` },
      replace: { pages: await loadPagesBuild() },
    });
    onTestFinished(() => testApp.close());
    const { app, sql, clock, dataDir, server } = testApp;
    await seedDemoCampus({
      sql,
      files: createDiskFileStore({ root: join(dataDir, 'files') }),
      images: [passThroughImageProcessor],
      uploads: join(dataDir, 'uploads'),
      clock,
      campus: app.config.campus,
      texts: app.config.demoTexts,
      passwordHash: async () => '$argon2id$unused',
      grantsRoles: false,
    });
    const listings = await sql<{ slug: string; user_id: string; course: string | null }[]>`
      SELECT slug, user_id, course FROM listings WHERE status IN ('published', 'sold')`;
    const courses = listings.flatMap(({ course }) => course ?? []);
    const paths = new Set([
      '/',
      '/browse',
      '/search?q=desk',
      '/search?q=e&price=0-50',
      ...categories.map((category) => `/category/${category}`),
      ...listings.map(({ slug }) => `/listing/${slug}`),
      ...listings.map(({ user_id }) => `/users/${user_id}`),
      ...courses.map((course) => `/course/${course.replace(' ', '-')}`),
    ]);
    const foreign: Record<string, string[]> = {};
    for (const path of paths) {
      const { body, statusCode } = await server.inject({ url: path });
      expect(statusCode, path).toBe(200);
      const found = findForeignForms(locale, extractTexts(body));
      if (found.length > 0) foreign[path] = found;
    }
    expect(foreign).toEqual({});
    expect(extractTexts((await server.inject({ url: '/category/furniture' })).body)).toMatch(price);
  },
  120_000,
);
