import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDevMailboxDelivery } from './delivery.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

test('the development mailbox links calendar files for download and lists the names of attachments', async () => {
  const delivery = createDevMailboxDelivery(testApp.sql, testApp.clock, () => {});
  const email = { to: 'ada@usc.edu', subject: 'Handover', text: 'You meet.', html: '<p>You meet.</p>' };
  const calendar = 'BEGIN:VCALENDAR\r\nSUMMARY:50% "off" & more\r\nEND:VCALENDAR\r\n';
  await delivery.deliver({ ...email, calendar });
  const attachment = {
    filename: 'resume <1>.pdf',
    contentType: 'application/pdf',
    key: 'forms/1/resume.pdf',
  };
  await delivery.deliver({ ...email, attachment });

  const { body } = await testApp.server.inject({ url: '/dev/mail', headers: { host: 'localhost:3000' } });
  expect(body).toContain('Attachment: resume &#60;1&#62;.pdf');
  const [, source = ''] = /href="data:[^,]+,([^"]*)" download="handover.ics"/.exec(body) ?? [];
  expect(decodeURIComponent(source)).toBe(calendar);
});
