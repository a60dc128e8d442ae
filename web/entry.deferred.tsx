import { createRoot } from 'react-dom/client';
import { OfflineBanner } from '#web/offline/offline-banner.tsx';
import { registerWorker } from '#web/offline/register-worker.ts';
import { followThemeColour } from '#web/shell/theme-colour.ts';

// Beside the application, so that no page is heavier for it, and none can fail and take it along.
const place = document.createElement('div');
document.body.append(place);
createRoot(place).render(<OfflineBanner />);

followThemeColour();
void registerWorker();
