import { createRoutesStub } from 'react-router';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { ConsolePersonDetail } from '#contract/console-people.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { getPersonQueryKey } from './person-actions.ts';
import { PersonScreen } from './person-screen.tsx';

vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

const someTime = '2026-03-02T18:00:00.000Z';
const ann: ConsolePersonDetail = {
  id: 'ann',
  email: 'ann@usc.edu',
  full_name: 'Ann',
  campus_email: null,
  usc_verified: false,
  membership_ends_on: null,
  membership_ended_at: null,
  console_role: null,
  has_second_factor: false,
  created_at: someTime,
  confirmed_at: someTime,
  suspended_at: null,
  suspended_until: null,
  sessions: 0,
  last_used_at: null,
  published: 0,
  hidden: 0,
  session_list: [],
};

test.each<[string, Partial<ConsolePersonDetail>, number]>([
  ['of a person', {}, 1],
  ['of a suspended person', { suspended_at: someTime }, 0],
  ['of a person who has not confirmed the address', { confirmed_at: null }, 0],
])('links to the public profile %s only if there is one', async (_who, change, links) => {
  queryClient.setQueryData(getPersonQueryKey('ada', 'ann'), { ...ann, ...change });
  const Router = createRoutesStub([{ path: '*', Component: () => <PersonScreen ownId="ada" id="ann" /> }]);
  await render(<Router />);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(page.getByRole('link', { name: 'Public profile' }).elements()).toHaveLength(links);
});
