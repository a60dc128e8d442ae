import type { ReactNode } from 'react';
import type { Campus } from '#contract/campus.ts';
import { offlinePaths, themeColors } from '#contract/pwa.ts';
import { links } from '#web/lib/links.ts';
import { offlineNotice } from '#web/lib/offline-notice.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoConnectionIllustration } from '#web/ui/illustrations/no-connection.tsx';

interface OfflinePageProps {
  campus: Pick<Campus, 'siteName' | 'colors'>;
  /** The Content-Security-Policy nonce of the page's scripts. */
  nonce: string;
  logo: ReactNode;
  themeScript: string;
}

const tryAgainButtonId = 'try-again';

/**
 * The interval between checks whether the server is reachable, and the timeout of each check, in
 * milliseconds.
 */
const reachabilityCheckIntervalMs = 5000;

/**
 * Reloads the page when the person clicks the button, when the browser reports a network, or when the
 * server responds to a repeated check. The repeated check is necessary because the network may have
 * returned before this script ran, or because the server may have been down while the network was
 * available. At the offline page's own URL, the script opens the home page instead. The script's text is
 * constant, so that the Content-Security-Policy needs only one hash for it.
 */
const reconnectScript = `
var own = location.pathname === '${offlinePaths.page}'
function reopen() { own ? location.replace('/') : location.reload() }
function checkLater() { setTimeout(check, ${reachabilityCheckIntervalMs}) }
function check() {
  fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(${reachabilityCheckIntervalMs}) })
    .then(function (answer) { answer.ok ? reopen() : checkLater() }, checkLater)
}
addEventListener('online', reopen)
addEventListener('click', function (event) { if (event.target.closest('#${tryAgainButtonId}')) reopen() })
if (!own) checkLater()
`;

const offlineReadableLinks = [
  { to: links.home, label: 'Home' },
  { to: links.howItWorks, label: 'How It Works' },
  { to: links.safety, label: 'Safety Tips' },
  { to: links.guidelines, label: 'Community Guidelines' },
];

/**
 * The complete HTML document of the offline page, shown at the URL of a page that is not cached on
 * this device. It does not load the application, which would request the data of the missing page.
 */
export function OfflinePage({ campus, nonce, logo, themeScript }: OfflinePageProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={campus.colors?.frame.light ?? themeColors.brand} />
        <meta name="robots" content="noindex" />
        <title>{`${offlineNotice.title} · ${campus.siteName}`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: constants, covered by their hash in the policy */}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: `${themeScript};${reconnectScript}` }} />
      </head>
      <body className="flex min-h-dvh flex-col">
        <header className="border-line border-b bg-paper before:block before:h-1 before:bg-brand">
          <div className="page-gutters flex h-16 items-center">
            <a href={links.home} className="flex min-h-11 items-center gap-2.5">
              {logo}
              <span className="font-extrabold text-2xl">{campus.siteName}</span>
            </a>
          </div>
        </header>
        <main className="grid flex-1 content-center">
          <EmptyState
            as="h1"
            illustration={<NoConnectionIllustration />}
            title={offlineNotice.title}
            text={offlineNotice.text}
            action={<Button id={tryAgainButtonId}>Try again</Button>}
          />
          <nav aria-labelledby="readable" className="page-gutters pb-10 text-center">
            <h2 id="readable" className="font-bold">
              You can read these meanwhile
            </h2>
            <ul className="mt-2 flex flex-wrap justify-center gap-x-5">
              {offlineReadableLinks.map(({ to, label }) => (
                <li key={to}>
                  <Button variant="link" asChild>
                    <a href={to}>{label}</a>
                  </Button>
                </li>
              ))}
            </ul>
          </nav>
        </main>
      </body>
    </html>
  );
}
