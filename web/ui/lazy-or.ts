import { type ComponentType, lazy } from 'react';

/** As `lazy`, with something simpler for where the script cannot be fetched: no page goes down for want of it. */
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

/** In place of what need not be seen. */
export const nothing = (): null => null;
