import { type ComponentType, lazy } from 'react';

/** Like `lazy`, with a simpler fallback component when the script cannot be loaded, so that the page still works. */
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

/** Renders nothing; a fallback for optional parts. */
export const renderNothing = (): null => null;
