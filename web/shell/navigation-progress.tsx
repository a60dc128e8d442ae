import { useNavigation } from 'react-router';

/**
 * A thin progress line at the top of the window while another screen loads. A CSS delay hides it on quick navigations.
 */
export function NavigationProgress() {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading page"
      className="fixed inset-x-0 top-0 z-50 h-1 origin-left animate-navigation bg-gold"
    />
  );
}
