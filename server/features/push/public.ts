export { createPushConnections } from './connections.ts';
export { skipDuePushes } from './dispatch.ts';
export { pushQueue } from './queue.ts';
export { removeAllPushSubscriptions } from './subscription-repository.ts';
export { createPushThrottle } from './throttle.ts';
