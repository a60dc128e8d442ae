/** The public API of wanted posts for other features and the routes. Route modules may also import components directly. */
export { OwnWantedPosts, PeopleLookingForIt, TellPeople } from './lazy-parts.tsx';
export { isWantedTab } from './wanted-tab.ts';
