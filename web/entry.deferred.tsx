import { createRoot } from 'react-dom/client';
import { OfflineBanner } from '#web/offline/offline-banner.tsx';
import { registerWorker } from '#web/offline/register-worker.ts';
import { followThemeColour } from '#web/shell/theme-colour.ts';

// A separate React root, so that it neither adds to a page's first load nor breaks together with a page.
const place = document.createElement('div');
document.body.append(place);
createRoot(place).render(<OfflineBanner />);

followThemeColour();
void registerWorker();
