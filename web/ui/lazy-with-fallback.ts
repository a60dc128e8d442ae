import { type ComponentType, lazy } from 'react';

/**
 * Works like React's `lazy`, but renders the fallback component if the script cannot be loaded, so that the page still
 * works.
 */
export const lazyWithFallback = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ComponentType<Props>,
) =>
  lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: fallback }),
    ),
  );

/** A component that renders nothing. It is the fallback for parts without which the page still works. */
export const renderNothing = (): null => null;
