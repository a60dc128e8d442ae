import type { PushContent, PushContentRequest } from '#server/features/notifications/public.ts';

// Legacy: remove with the last factory that implements it.
export interface PushSource {
  findPush(request: PushContentRequest): Promise<PushContent | undefined>;
}
