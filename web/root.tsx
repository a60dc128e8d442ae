import { type ReactNode, use, useEffect, useState } from 'react';
import {
  isRouteErrorResponse,
  Links,
  type LinksFunction,
  type LoaderFunctionArgs,
  Meta,
  type MetaFunction,
  Outlet,
  Scripts,
  useRouteError,
  useRouteLoaderData,
} from 'react-router';
import { defaultCampus } from '#contract/campus.ts';
import { generalErrorMessages } from '#contract/general-error-messages.ts';
import { offlinePaths, themeColors } from '#contract/pwa.ts';
import { useLogout } from './accounts/public.ts';
import { pageLoaderContext } from './lib/page-context.ts';
import { recordApplicationStart, useDocumentUrl } from './lib/pop-state.ts';
import { ScriptNonceContext } from './lib/server-rendering.ts';
import { forgetTypedText } from './lib/typed-text.ts';
import { type SiteData, useAnnouncement, useCampus } from './lib/use-campus.ts';
import { useScrollToTop } from './lib/use-scroll-to-top.ts';
import { useSession } from './lib/use-session.ts';
import type { loader as listingLoader } from './routes/listing.tsx';
import type { AccountState } from './shell/account-state-loader.tsx';
import { earlyTapScript, replayEarlyTap } from './shell/early-tap.ts';
import { failedScriptsScript } from './shell/failed-scripts.ts';
import { fontPreloadLink } from './shell/fonts.ts';
import { interruptedNavigationScript } from './shell/interrupted-navigation.ts';
import { NavigationProgress } from './shell/navigation-progress.tsx';
import { oldBrowserScript } from './shell/old-browsers.ts';
import { returningVisitorScript } from './shell/returning-visitor.ts';
import { SiteFrame } from './shell/site-frame.tsx';
import { themeScript } from './shell/theme.ts';
import { trustedTypesScript } from './shell/trusted-types.ts';
import forcedColorsStyles from './styles/forced-colors.css?url';
import { lazyComponent } from './ui/lazy-component.tsx';

const AccountStateLoader = lazyComponent(
  async () => (await import('./shell/account-state-loader.tsx')).AccountStateLoader,
  { failed: () => null },
);

const ScrollAndFocusRestoration = lazyComponent(
  async () => (await import('./shell/scroll-and-focus-restoration.tsx')).ScrollAndFocusRestoration,
  { failed: () => null },
);

const ErrorScreen = lazyComponent(async () => (await import('./shell/error-screen.tsx')).ErrorScreen, {
  failed: () => <p className="m-auto">{generalErrorMessages.internal}</p>,
});

export const links: LinksFunction = () => [
  fontPreloadLink,
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  // No link to /apple-touch-icon.png is needed, because devices that ignore the manifest request
  // this file on their own.
  { rel: 'manifest', href: offlinePaths.manifest },
  // Apart from the styles in the page, because only a few visitors need it.
  { rel: 'stylesheet', href: forcedColorsStyles, media: '(forced-colors: active)' },
];

export const loader = async ({ context }: LoaderFunctionArgs): Promise<SiteData> => {
  const { campus, publicUrl, reads } = context.get(pageLoaderContext);
  const { current } = await reads.findAnnouncement();
  return { campus, publicUrl, announcement: current };
};

// The browser has run these scripts before the application starts, so the application does not contain their text.
const headScript = import.meta.env.SSR
  ? trustedTypesScript +
    themeScript +
    returningVisitorScript +
    oldBrowserScript +
    failedScriptsScript +
    interruptedNavigationScript +
    earlyTapScript
  : '';

/** Sets the default title, for screens that set none. */
export const meta: MetaFunction<typeof loader> = ({ loaderData }) => [
  { title: (loaderData?.campus ?? defaultCampus).siteName },
];

/**
 * Never reload the root data: the campus does not change while a page is open, and the announcement
 * disappears by itself when it ends.
 */
export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(ScriptNonceContext);
  const frame = useCampus().colors?.frame;
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={frame?.light ?? themeColors.brand} />
        <meta
          name="theme-color"
          content={frame?.dark ?? themeColors.brandDark}
          media="(prefers-color-scheme:dark)"
        />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, covered by its hash in the policy */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: headScript }} />
        <Meta />
        <Links />
      </head>
      <body>
        <NavigationProgress />
        <AppFrame>{children}</AppFrame>
        <Scripts />
      </body>
    </html>
  );
}

const emptyAccountState: AccountState = { unreadCount: 0, notificationCount: 0 };

/**
 * Returns whether the screen is the page of a listing. Asked before the screen is rendered, because the header comes
 * first in the HTML and must not be painted until the screen arrives.
 */
const useIsListingPage = (): boolean => {
  const [byListingUrl, byProductUrl] = [
    useRouteLoaderData<typeof listingLoader>('routes/listing'),
    useRouteLoaderData<typeof listingLoader>('routes/product'),
  ];
  const error = useRouteError();
  return !error && Boolean((byListingUrl ?? byProductUrl)?.listing);
};

function AppFrame({ children }: { children: ReactNode }) {
  useDocumentUrl();
  const campus = useCampus();
  const announcement = useAnnouncement();
  const { loading, isAuthenticated, user } = useSession();
  const logout = useLogout();
  const isPhotoFirst = useIsListingPage();
  const [account, setAccount] = useState(emptyAccountState);
  useScrollToTop();
  useEffect(recordApplicationStart, []);
  useEffect(forgetTypedText, []);
  useEffect(() => {
    if (!loading) replayEarlyTap();
  }, [loading]);
  const accountState = isAuthenticated ? account : emptyAccountState;
  return (
    <SiteFrame
      siteName={campus.siteName}
      campusShortName={campus.shortName}
      announcement={announcement}
      session={{
        loading,
        isAuthenticated,
        name: accountState.name ?? user?.email?.split('@')[0],
        avatarUrl: accountState.avatarUrl,
        mayModerate: accountState.mayModerate,
      }}
      unreadCount={accountState.unreadCount}
      notificationCount={accountState.notificationCount}
      onLogout={() => void logout()}
      isPhotoFirst={isPhotoFirst}
    >
      {children}
      {isAuthenticated && user && <AccountStateLoader key={user.id} ownId={user.id} onChange={setAccount} />}
      {/* Not rendered by the server: React hydrates server-rendered parts only when it is idle. */}
      {!loading && <ScrollAndFocusRestoration />}
    </SiteFrame>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  return <ErrorScreen status={isRouteErrorResponse(error) ? error.status : 500} />;
}
