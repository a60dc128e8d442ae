import { createRoutesStub, Link, Outlet, useLocation, useNavigation } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/session.ts', async (importOriginal) => {
  const session = { isAuthenticated: true, user: { id: 'ada', email: 'ada@usc.edu' }, loading: false };
  return {
    ...(await importOriginal<typeof import('#web/lib/session.ts')>()),
    getSessionSnapshot: () => session,
    onSessionChange: () => () => {},
  };
});
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus, usePublicUrl: () => 'http://quad.test' };
});

const { queryClient } = await import('#web/lib/query-client.ts');
const { onToastRequest } = await import('#web/ui/toast.ts');
const { default: PostAd } = await import('#web/routes/post-ad.tsx');
const { default: ProfileEdit } = await import('#web/routes/profile-edit.tsx');

const profile = { id: 'ada', email: 'ada@usc.edu', full_name: 'Ada Student', role: 'Student', bio: 'A bio' };
const listing = { id: '6a2c8f0e-8b0f-4f0e-9a54-0c8a52f4b1bb', slug: 'lamp', photos: [], images: [] };

const onToast = vi.fn();
let stopListening: () => void;
let pageIsLoaded: PromiseWithResolvers<null>;
let response: PromiseWithResolvers<object>;
beforeEach(() => {
  queryClient.clear();
  onToast.mockReset();
  stopListening = onToastRequest(onToast);
  pageIsLoaded = Promise.withResolvers();
  response = Promise.withResolvers();
  requestMock
    .mockReset()
    .mockImplementation(async (call) => (call === calls.getMe ? profile : response.promise));
});
afterEach(() => {
  stopListening();
  vi.useRealTimers();
});

function Layout() {
  const { pathname, search } = useLocation();
  const { state } = useNavigation();
  return (
    <>
      <output>{pathname + search}</output>
      <Link to="/elsewhere">Elsewhere</Link>
      {state === 'loading' && <progress />}
      <Outlet />
    </>
  );
}

const open = (path: string) => {
  const Stub = createRoutesStub([
    {
      Component: Layout,
      children: [
        { path: '/post-ad', Component: PostAd },
        { path: '/profile/edit', Component: ProfileEdit },
        { path: '/elsewhere', loader: () => pageIsLoaded.promise, Component: () => <h1>Elsewhere</h1> },
        { path: '*', Component: () => null },
      ],
    },
  ]);
  return render(<Stub initialEntries={[path]} />);
};
const location = page.getByRole('status');

const fillAndPost = async () => {
  await page.getByRole('textbox', { name: /^Title/ }).fill('Lamp with a long neck');
  await page.getByLabelText(/^Category/).selectOptions('furniture');
  await page.getByRole('radio', { name: 'Good' }).click();
  await page.getByRole('textbox', { name: /^Price/ }).fill('25');
  await page
    .getByRole('textbox', { name: /^Description/ })
    .fill('It bends over a book, and stands on the floor.');
  await page.getByRole('textbox', { name: /^Location/ }).fill('Parkside');
  await page.getByRole('button', { name: 'Use my email' }).click();
  await page.getByRole('button', { name: 'Post Ad' }).click();
};
const saveAsDraft = () => page.getByRole('button', { name: 'Save as Draft' }).click();
const saveProfile = async () => {
  await page.getByRole('textbox', { name: /^Bio/ }).fill('Another bio');
  await page.getByRole('button', { name: 'Save Changes' }).click();
};

const saves = [
  {
    name: 'a new draft',
    path: '/post-ad',
    save: saveAsDraft,
    saved: { listing: { ...listing, status: 'draft' } },
  },
  {
    name: 'a new listing',
    path: '/post-ad',
    save: fillAndPost,
    saved: { listing: { ...listing, status: 'published' } },
  },
  {
    name: 'a new listing that is checked first',
    path: '/post-ad',
    save: fillAndPost,
    saved: { listing: { ...listing, status: 'in_review' } },
  },
  {
    name: 'the profile',
    path: '/profile/edit',
    save: saveProfile,
    saved: { ...profile, bio: 'Another bio' },
  },
];

const leaveWhileSaving = async ({ path, save }: (typeof saves)[number]) => {
  await open(path);
  await save();
  await expect.poll(() => requestMock.mock.lastCall?.[0]).not.toBe(calls.getMe);
  await page.getByRole('link', { name: 'Elsewhere' }).click();
};
const respond = async ({ saved }: (typeof saves)[number]) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  response.resolve(saved);
  await vi.waitFor(() => expect(onToast).toHaveBeenCalledOnce());
  await vi.advanceTimersByTimeAsync(3_000);
  vi.useRealTimers();
};

test.each(saves)('saving $name does not redirect from the page that the person moved on to', async (form) => {
  await leaveWhileSaving(form);
  pageIsLoaded.resolve(null);
  await expect.element(location).toHaveTextContent('/elsewhere');
  await respond(form);
  await expect.element(location).toHaveTextContent('/elsewhere');
});

test.each(saves)('saving $name does not stop the navigation to another page', async (form) => {
  await leaveWhileSaving(form);
  await expect.element(page.getByRole('progressbar')).toBeInTheDocument();
  await respond(form);
  pageIsLoaded.resolve(null);
  await expect.element(location).toHaveTextContent('/elsewhere');
});
