import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '#server/app.ts';
import { listSecurityEvents } from '#server/features/audit/public.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { getForm, getResume, markFormDone, reopenForm } from './inbox.ts';
import { type FormFilter, listSubmittedForms } from './inbox-repository.ts';

let testApp: TestApp;
let app: App;
const actor = { name: 'shell:alice', reason: 'Answered by email' };

beforeAll(async () => {
  testApp = await startTestApp();
  app = { ...testApp.app, actor };
});
afterAll(() => testApp.close());

const submitReport = async (subject: string, headers = {}) => {
  testApp.clock.advance(1);
  const payload = { subject, details: 'Twice.' };
  await testApp.server.inject({ method: 'POST', url: '/rest/v1/forms/report', headers, payload });
  const [form] = await listSubmittedForms(app.sql, { kind: 'report', state: 'all', before: null, limit: 1 });
  if (!form) throw new Error('the report was not stored');
  return form.id;
};
const listSubjects = async (wanted: Partial<FormFilter>) => {
  const forms = await listSubmittedForms(app.sql, {
    kind: null,
    state: 'all',
    before: null,
    limit: 50,
    ...wanted,
  });
  return forms.map(({ content }) => content.subject ?? content.topic);
};

test('forms are listed by kind and state, newest first, one page at a time', async () => {
  const contact = { name: 'Ada', email: 'ada@usc.edu', topic: 'Other', message: 'Hello' };
  await testApp.server.inject({ method: 'POST', url: '/rest/v1/forms/contact', payload: contact });
  await submitReport('first');
  const second = await submitReport('second');
  await submitReport('third');
  expect(await listSubjects({})).toEqual(['third', 'second', 'first', 'Other']);
  expect(await listSubjects({ kind: 'contact' })).toEqual(['Other']);
  expect(await listSubjects({ limit: 2 })).toEqual(['third', 'second']);
  expect(await listSubjects({ limit: 2, before: second })).toEqual(['first', 'Other']);
  await markFormDone(app, second, actor.name);
  expect(await listSubjects({ kind: 'report', state: 'open' })).toEqual(['third', 'first']);
  expect(await listSubjects({ state: 'done' })).toEqual(['second']);
});

test('a form can be marked as done and reopened, and the audit trail names the actor', async () => {
  const person = await testApp.signIn();
  const id = await submitReport('wire money', person.headers);
  expect(await getForm(app, id)).toMatchObject({ sender_email: person.email, done_at: null, done_by: null });
  const done = await markFormDone(app, id, 'shell:alice');
  expect(done).toMatchObject({ done_at: testApp.clock.now(), done_by: 'shell:alice' });
  testApp.clock.advance(60);
  expect(await markFormDone(app, id, 'shell:bob')).toEqual(done);
  expect(await reopenForm(app, id)).toMatchObject({ done_at: null, done_by: null });
  const entries = await listSecurityEvents(app, { userId: person.userId, since: new Date(0), limit: 50 });
  expect(entries.slice(-2)).toMatchObject([
    { event: 'form_done', actor: 'shell:alice', reason: actor.reason, detail: id },
    { event: 'form_reopened', actor: 'shell:alice', reason: actor.reason, detail: id },
  ]);
});

test('the resume of a form can be read; for a form without one, not_found is thrown', async () => {
  const id = await submitReport('no resume here');
  const files = {
    ...app.files,
    read: async () => ({ size: 3, contentType: '', etag: '', open: async () => Readable.from(['pdf']) }),
  };
  await expect(getResume({ ...app, files }, id)).rejects.toThrow(`No resume came with the form ${id}`);
  await testApp.sql`
    UPDATE private.forms SET content = content || '{"resume": {"key": "forms/1/resume.pdf"}}' WHERE id = ${id}`;
  expect(await text(await (await getResume({ ...app, files }, id)).open())).toBe('pdf');
  const missing = { ...app, files: { ...app.files, read: async () => undefined } };
  await expect(getResume(missing, id)).rejects.toThrow('No resume came');
});
