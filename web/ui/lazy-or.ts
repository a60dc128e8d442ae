import { type ComponentType, lazy } from 'react';

/** Like `lazy`, with a simpler fallback component when the script cannot be loaded, so that the page still works. */
export const lazyOr = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props>,
) =>
  lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: instead }),
    ),
  );

/** Renders nothing; a fallback for optional parts. */
export const nothing = (): null => null;
