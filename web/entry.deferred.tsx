import { createRoot } from 'react-dom/client';
import { removeExpiredAccountData } from '#web/lib/stored-files.ts';
import { OfflineBanner } from '#web/offline/offline-banner.tsx';
import { registerServiceWorker } from '#web/offline/register-service-worker.ts';
import { preserveReturningVisitor } from '#web/shell/returning-visitor.ts';
import { syncThemeColor } from '#web/shell/theme-color.ts';

// The offline banner has its own React root, so that its script is not part of a page's first load
// and a rendering error in the page does not remove the banner.
const bannerContainer = document.createElement('div');
document.body.append(bannerContainer);
createRoot(bannerContainer).render(<OfflineBanner />);

syncThemeColor();
preserveReturningVisitor();
void registerServiceWorker();
void removeExpiredAccountData();
