export { createWantedPost } from './wanted-posts.ts';
export { restoreWantedPost, takeDownWantedPost } from './repository.ts';
