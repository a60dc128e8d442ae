import { createRoot } from 'react-dom/client';
import { OfflineBanner } from '#web/offline/offline-banner.tsx';
import { registerWorker } from '#web/offline/register-worker.ts';
import { syncThemeColor } from '#web/shell/theme-color.ts';

// The banner has its own React root, so that it is not part of a page's first load and survives a page's failure.
const container = document.createElement('div');
document.body.append(container);
createRoot(container).render(<OfflineBanner />);

syncThemeColor();
void registerWorker();
