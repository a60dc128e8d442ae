import { clsx } from 'clsx';
import { Children, cloneElement, type ReactElement, type ReactNode } from 'react';

type Props = Record<string, unknown> & { className?: string | undefined };

/** Returns the single child, such as a Link, with the given props; its own class is added to theirs. */
export const styleChild = (child: ReactNode, props: Props) => {
  const element = Children.only(child) as ReactElement<Props>;
  return cloneElement(element, { ...props, className: clsx(props.className, element.props.className) });
};
