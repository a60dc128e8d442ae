import type { Page } from '@playwright/test';
import type { QuadServer } from './quad-server.ts';
import { createDialogOpener, type Screen } from './screen.ts';
import { logInToDemo } from './sign-in.ts';

/**
 * Returns the email address of a demo account: the first one whose line in the server's output contains
 * `text`.
 */
export const getAccount = (quad: QuadServer, text: string): string => {
  const [, email = ''] = new RegExp(`"msg":"(demo\\.\\S+) .*${text}`).exec(quad.output()) ?? [];
  return email;
};

const showRecoveryCode = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByRole('textbox', { name: 'Recovery code' }).waitFor();
};

const showSessions = async (page: Page): Promise<void> => {
  const list = page.getByRole('list', { name: 'Where you are logged in' });
  await list.getByText('This device').waitFor();
};

/**
 * Returns screens outside the console that are related to it: those of moderators who have not entered the
 * console yet, and those of people who are affected by a moderator's decision.
 */
export const listModerationScreens = async (quad: QuadServer): Promise<Screen[]> => {
  const session = await logInToDemo(quad, getAccount(quad, 'moderator'));
  const { user, ...rest } = JSON.parse(session);
  const app_metadata = { ...user.app_metadata, awaits_second_factor: true };
  const incomplete = JSON.stringify({ ...rest, user: { ...user, app_metadata } });
  // The same person in the campuses of demo/campuses.
  const appellant = await logInToDemo(quad, getAccount(quad, '(Lucas Ferreira|Lukas Brandt|Ryo Nakamura)'));
  return [
    { name: 'console-second-factor', path: '/moderation', signedIn: true, session },
    {
      name: 'log-in-second-factor',
      path: '/login',
      signedIn: true,
      session: incomplete,
      further: [{ name: 'log-in-recovery-code', prepare: showRecoveryCode }],
    },
    {
      name: 'sessions',
      path: '/profile?tab=settings&page=security',
      signedIn: true,
      session,
      prepare: showSessions,
      // The dialog shows the secret of a factor that it has stored, which only this person sees.
      further: [{ name: 'two-step-setup', prepare: createDialogOpener('Set up'), writes: true }],
    },
    { name: 'decisions-appealed', path: '/decisions', signedIn: true, session: appellant },
    {
      name: 'decisions-appeal',
      path: '/decisions',
      signedIn: true,
      prepare: (page) => page.getByRole('button', { name: 'Appeal' }).first().click(),
    },
    { name: 'decisions-empty', path: '/decisions', signedIn: true, session },
  ];
};
