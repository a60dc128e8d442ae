export { restoreWantedPost, takeDownWantedPost } from './repository.ts';
