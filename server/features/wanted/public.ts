export { restoreWantedPost, takeDownWantedPost } from './repository.ts';
export { createWantedPost } from './wanted-posts.ts';
