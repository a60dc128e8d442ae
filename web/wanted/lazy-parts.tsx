import { lazyComponent } from '#web/ui/lazy-component.tsx';

export const OwnWantedPosts = lazyComponent(
  async () => (await import('./own-wanted-posts.tsx')).OwnWantedPosts,
);

// These two are hints, which the screens do without if they cannot be loaded.

export const PeopleLookingForIt = lazyComponent(
  async () => (await import('./people-looking-for-it.tsx')).PeopleLookingForIt,
  { failed: () => null },
);

export const TellPeople = lazyComponent(async () => (await import('./tell-people.tsx')).TellPeople, {
  failed: () => null,
});
