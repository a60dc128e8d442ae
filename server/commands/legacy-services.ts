import type { App } from '#server/app.ts';
import { createSigningKeyRotationService } from '#server/features/accounts/public.ts';
import { createAuditTrail } from '#server/features/audit/public.ts';
import { createNotifier } from '#server/features/notifications/public.ts';
import { createReviewModeration } from '#server/features/reviews/public.ts';
import { createAdministrationServices } from '#server/start/administration-services.ts';
import { createPageInvalidation } from '../pages/public.ts';

/** Temporary: the services of features that still have factories. */
export const createLegacyServices = (app: App) => {
  const { sql, clock, jobs } = app;
  const { pepper } = app.secrets;
  const base = { sql, clock, invalidation: createPageInvalidation(app.bus) };
  const audit = createAuditTrail({ ...base, pepper, actor: app.actor });
  return {
    ...createAdministrationServices(app),
    reviewModeration: createReviewModeration({ ...base, audit, notify: createNotifier(jobs) }),
    keyRotation: createSigningKeyRotationService({ ...base, pepper, audit }),
  };
};
