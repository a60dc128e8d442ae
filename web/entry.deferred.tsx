import { createRoot } from 'react-dom/client';
import { OfflineBanner } from '#web/offline/offline-banner.tsx';
import { registerWorker } from '#web/offline/register-worker.ts';
import { syncThemeColour } from '#web/shell/theme-colour.ts';

// A separate React root, so that it neither adds to a page's first load nor breaks together with a page.
const container = document.createElement('div');
document.body.append(container);
createRoot(container).render(<OfflineBanner />);

syncThemeColour();
void registerWorker();
