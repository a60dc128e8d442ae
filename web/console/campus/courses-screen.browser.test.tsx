import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { consoleCalls } from '#contract/console-calls.ts';
import { createTestApi } from '#web/testing/api.ts';
import { CoursesScreen } from './courses-screen.tsx';

const api = createTestApi();
const calculus = { code: 'MATH 125', title: 'Calculus I', term: null, books: 1 };

const own = { ownId: 'ada', role: 'administrator', id: undefined } as const;

const openScreen = () => {
  const Stub = createRoutesStub([{ path: '/', Component: () => <CoursesScreen {...own} /> }]);
  return render(<Stub />);
};

test('imports a file with a reason, says what was broken, and removes a course', async () => {
  let items = [] as (typeof calculus)[];
  api.answer(consoleCalls.listConsoleCourses, () => ({ items, total: items.length, next_cursor: null }));
  api.answer(consoleCalls.importCourses, () => {
    items = [calculus];
    return {
      added: 1,
      changed: 0,
      duplicates: 2,
      broken: 1,
      examples: [{ line: 4, reason: 'the title is missing' }],
    };
  });
  api.answer(consoleCalls.removeCourse, () => {
    items = [];
    return { success: true } as const;
  });
  await openScreen();
  await expect.element(page.getByText('No courses yet')).toBeVisible();
  const csv = 'MATH 125,Calculus I';
  await page.getByLabelText('File with courses').upload(new File([csv], 'courses.csv'));
  await page.getByRole('textbox', { name: 'Reason' }).fill('A new term');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect.element(page.getByText('1 courses added, 0 changed')).toBeVisible();
  await expect.element(page.getByText('Line 4: the title is missing')).toBeVisible();
  expect(api.listRequests(consoleCalls.importCourses)[0]?.body).toEqual({ csv, reason: 'A new term' });
  await page.getByRole('button', { name: 'Remove MATH 125' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('No longer taught');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.element(page.getByText('No courses yet')).toBeVisible();
});
