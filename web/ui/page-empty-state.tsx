import { EmptyState, type EmptyStateProps } from './empty-state.tsx';
import { useFocusAfterNavigation } from './page-heading.tsx';

/** An empty state that is the whole page. Its title is the h1, and takes the focus after a navigation. */
export function PageEmptyState(props: Omit<EmptyStateProps, 'as' | 'titleRef'>) {
  return <EmptyState {...props} as="h1" titleRef={useFocusAfterNavigation<HTMLHeadingElement>()} />;
}
